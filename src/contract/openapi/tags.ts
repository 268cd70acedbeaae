import type { TagObject } from './document.ts';

const webhooks = [
  'Events as we send them: an HTTPS POST to each endpoint that you have registered in the webhook portal, signed after the Standard Webhooks scheme. Only what your own application booked is sent, and only identifiers, states, versions and times.',
  'Any 2xx within 15 seconds is success; everything else, redirects included, is a failed delivery. It is tried again after 5 seconds, 5 minutes, 30 minutes, and 2, 5, 10, 14, 20 and 24 hours, each up to 10 % later by chance and never sooner, then given up. A longer `Retry-After` on your 429 or 503 is honoured. 410 disables the endpoint at once, and one where every attempt failed for 5 days is paused; the portal says why and since when. Resume it, and have what it missed sent again.',
  'Deliveries repeat and overtake each other. Take in each `webhook-id` once, read the resource for its present state, and use `sequence` to see whether something is still to come. Go on polling what you are waiting for.',
  'A secret reads `whsec_…`. After a rotation both the old and the new one sign for 24 hours. Test events carry no `sequence` and never enter the feed. In the simulation, while it listens on loopback only, an endpoint on loopback may use plain HTTP.',
].join('\n\n');

/** The groups in which operations are shown, in the order of a booking. */
export const tags: TagObject[] = [
  { name: 'Access', description: 'From the application key to an access token.' },
  {
    name: 'Catalog',
    description:
      'Brand, collections and homes: content to keep a copy of. Ask again with `If-None-Match`; an answer of 304 costs next to nothing to move.',
  },
  {
    name: 'Availability',
    description:
      "Live reads: what is free. They share capacity with the operator's own channels, and are refused quickly when that is busy.",
  },
  {
    name: 'Booking',
    description: 'From the exact price to a confirmed reservation, one command at a time.',
  },
  {
    name: 'Payment',
    description:
      "The steps of a card-paying checkout. The card is entered in hosted fields in the guest's browser; its number reaches neither your servers nor ours.",
  },
  { name: 'Reservations', description: 'Confirmed stays as they are now.' },
  {
    name: 'Reservation requests',
    description: 'The one-call way for partner-settled applications.',
  },
  { name: 'Events', description: 'The feed of what happened to your bookings.' },
  { name: 'Signals', description: 'Measurement of what guests do.' },
  { name: 'Webhooks', description: webhooks },
];
