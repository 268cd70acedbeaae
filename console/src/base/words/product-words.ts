/** Words of the product for the words of the machine. A page shows the machine's word on hover. */
const calls = {
  'distribution.site.get': 'Site',
  'distribution.listing.list': 'List of homes',
  'distribution.listing.get': 'Home',
  'distribution.listing.search': 'Search',
  'inventory.calendar.get': 'Calendar',
  'inventory.calendar.list': 'Calendars',
  'inventory.change.list': 'Changes of homes',
  'reservation.quote.create': 'Quote',
  'reservation.checkout.create': 'Checkout begun',
  'reservation.checkout.get': 'Checkout read',
  'reservation.checkout.saveGuest': 'Guest saved',
  'reservation.checkout.applyPromo': 'Promotion applied',
  'reservation.checkout.removePromo': 'Promotion removed',
  'reservation.checkout.setupPayment': 'Card asked for',
  'reservation.checkout.verifyPayment': 'Card verified',
  'reservation.checkout.submit': 'Checkout submitted',
  'reservation.checkout.getStatus': 'State read',
  'reservation.checkout.getConfirmation': 'Confirmation read',
  'reservation.reservation.get': 'Reservation read',
  'reservation.reservation.list': 'List of reservations',
  'reservation.reservationRequest.create': 'Booked by a request',
  'reservation.reservationRequest.get': 'Request read',
  'reservation.reservationRequest.list': 'List of requests',
  'reservation.change.request': 'Change asked for',
  'reservation.change.get': 'Request for a change read',
  'reservation.change.list': 'List of requests for changes',
  'reservation.change.withdraw': 'Request for a change withdrawn',
  'reservation.event.list': 'Events read',
  'cdp.signal.capture': 'Signals',
} as const;

/** The operations that partners call. */
export const partnerCalls = Object.keys(calls);

const known: Readonly<Record<string, string>> = {
  ...calls,
  // Why there is no reservation, and why a call was refused.
  sold_out: 'The nights were sold',
  price_changed: 'The price has changed',
  policy_changed: 'The terms have changed',
  policy_restricted: 'Against the rules of the home',
  authority_revoked: 'The partner may no longer book',
  invalid_input: 'Not valid',
  unauthenticated: 'No valid token',
  forbidden: 'Not allowed',
  rate_limited: 'Too many calls',
  internal: 'Error on our side',
  unresolved: 'Outcome not known',
  payment_not_required: 'The partner collects',
  precondition_failed: 'Changed meanwhile',
  resync_required: 'Must be read anew',
  not_configured: 'Not enabled here',
  // The step of a booking whose outcome is not known.
  hold: 'Whether the nights are held',
  authorize: 'Whether the card was charged',
  confirm: 'Whether the booking was made',
  capture: 'Whether the money was collected',
  undo: 'Whether it was undone',
  // The state of a card payment.
  requested: 'Asked for',
  authorized: 'Held on the card',
  captured: 'Collected',
  voided: 'Given up',
  refused: 'Refused',
  requires_action: 'The guest must confirm',
  at_booking: 'At booking',
  exhausted: 'Given up',
};

const spaced = (word: string): string =>
  word
    .replaceAll(
      /([a-z])([A-Z])/g,
      (_, before: string, after: string) => `${before} ${after.toLowerCase()}`,
    )
    .replaceAll(/[._-]+/g, ' ')
    .trim();

/** A sentence begins with it. */
export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The product's word for one of the machine; for one that has none, its parts: `too_many_guests` is "Too many guests". */
export const productWord = (machine: string): string =>
  known[machine] ?? capitalized(spaced(machine));

/** The path of a member in words: `/guest/firstName` is "guest, first name", `/rates/3/price` is "rates, number 4, price". */
export const memberWords = (path: string): string =>
  path
    .replace(/^(query|header|path)?\/?/, '')
    .split('/')
    .filter((part) => part !== '')
    .map((part) => (/^\d+$/.test(part) ? `number ${Number(part) + 1}` : spaced(part).toLowerCase()))
    .join(', ');
