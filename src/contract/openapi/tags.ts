import type { TagObject } from './document.ts';

const webhooks = [
  'Each event is sent as an HTTPS POST to every endpoint that you have registered in the webhook portal, signed with the Standard Webhooks scheme. Events cover only bookings of your own application and contain only identifiers, states, versions and times.',
  'Any 2xx within 15 seconds is success. Everything else, redirects included, is a failed attempt. Retries follow after 5 seconds, 5 minutes, 30 minutes, and 2, 5, 10, 14, 20 and 24 hours, each with a random delay of up to 10 % and never earlier; then the delivery is given up. A longer `Retry-After` on a 429 or 503 is honoured. 410 disables the endpoint at once. If every attempt fails for 5 days, the endpoint is paused. The portal shows why and since when. After you resume it there, it can replay what was missed.',
  'A delivery can arrive twice or out of order. Process each `webhook-id` once, read the resource for its current state, and use `sequence` to detect events that have not arrived yet. Keep polling while you wait for an outcome.',
  'A secret has the form `whsec_…`. After a rotation, deliveries are signed with the old and the new secret for 24 hours. Test events have no `sequence` and do not appear in the feed. If the simulation listens only on loopback, an endpoint on loopback may use plain HTTP.',
].join('\n\n');

/** The groups of operations, in the order of a booking. */
export const tags: TagObject[] = [
  { name: 'Access', description: 'From the application key to an access token.' },
  {
    name: 'Catalog',
    description:
      'Brand, collections and homes. Keep a copy, and refresh it with `If-None-Match`; a 304 has no body.',
  },
  {
    name: 'Availability',
    description:
      "Live reads of availability. They share capacity with the operator's own channels and are refused early when it is exhausted.",
  },
  {
    name: 'Booking',
    description: 'From the exact price to a confirmed reservation, one command at a time.',
  },
  {
    name: 'Payment',
    description:
      'The steps of a card-paying checkout. The guest enters the card in hosted fields in the browser. The card number never reaches your servers or ours.',
  },
  { name: 'Reservations', description: 'Confirmed stays as they are now.' },
  {
    name: 'Reservation requests',
    description: 'A reservation in one call, for partner-settled applications.',
  },
  { name: 'Events', description: 'The feed of events of your bookings.' },
  { name: 'Signals', description: 'Measurement of what guests do.' },
  { name: 'Webhooks', description: webhooks },
];
