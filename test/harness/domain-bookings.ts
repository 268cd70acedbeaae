/** Bookings for unit tests: a checkout or a request in any state, with a quote that any can stand on. */

import type { Charges } from '../../src/contract/partner/schemas/quote.ts';
import type {
  Checkout,
  PaymentSetup,
  Quote,
  Reservation,
  ReservationRequest,
} from '../../src/bookings/rules/booking.ts';

/** Noon of a day; the quote was made a minute before and expires fourteen minutes later. */
export const NOW = Date.UTC(2027, 0, 15, 12);
export const QUOTE_EXPIRES_AT = NOW + 14 * 60_000;

export const CHARGES: Charges = {
  currency: 'USD',
  accommodation: 30_000,
  fees: 0,
  cleaning: 0,
  taxes: 0,
  total: 30_000,
  dueNow: 30_000,
  schedule: [{ dueOn: '2027-01-15', amount: 30_000 }],
  lines: [{ kind: 'accommodation', label: 'Accommodation', amount: 30_000 }],
  nights: [
    { date: '2027-03-30', amount: 15_000 },
    { date: '2027-03-31', amount: 15_000 },
  ],
};

export const QUOTE: Quote = {
  applicationId: 'application',
  quoteId: 'quote',
  listingId: 'home',
  checkIn: '2027-03-30',
  checkOut: '2027-04-01',
  party: { adults: 2, children: 1, infants: 0, pets: 0 },
  charges: CHARGES,
  terms: { version: 'terms-1', policies: [], cancellation: [] },
  promotion: null,
  createdAt: NOW - 60_000,
  expiresAt: QUOTE_EXPIRES_AT,
};

export const GUEST = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.com',
  phone: '+351912345678',
};

const record = {
  applicationId: 'application',
  bookingId: 'booking',
  quote: QUOTE,
  version: 7,
  guest: null,
  charges: CHARGES,
  promotionCode: null,
  failureReason: null,
  failureDetails: null,
  partnerReference: null,
  reference: null,
  attemptId: 'attempt',
  submittedAt: null,
  resolvedAt: null,
  createdAt: NOW - 30_000,
  updatedAt: NOW - 10_000,
};

/** A checkout at version 7, last moved ten seconds ago. */
export const checkoutIn = (
  state: Checkout['state'],
  rest: Partial<Omit<Checkout, 'kind' | 'state'>> = {},
): Checkout => ({
  ...record,
  kind: 'checkout',
  settlement: 'card',
  promotionCode: null,
  terms: QUOTE.terms,
  paymentSetup: null,
  paymentMethodId: null,
  ...rest,
  state,
});

/** A request at version 7, last moved ten seconds ago. */
export const requestIn = (
  state: ReservationRequest['state'],
  rest: Partial<Omit<ReservationRequest, 'kind' | 'state'>> = {},
): ReservationRequest => ({
  ...record,
  kind: 'request',
  settlement: 'partner',
  partnerReference: null,
  ...rest,
  state,
});

/** A setup asked for just now. */
export const setupIn = (
  state: PaymentSetup['state'],
  rest: Partial<PaymentSetup> = {},
): PaymentSetup => ({
  failure: null,
  attempts: 1,
  requestedAt: NOW,
  reference: state === 'ready' ? 'setup-1' : null,
  clientSecret: state === 'ready' ? 'secret-1' : null,
  ...rest,
  state,
});

/** The reservation of a confirmed checkout. */
export const reservation = (rest: Partial<Reservation> = {}): Reservation => ({
  reference: 'LK-7Q4M-2XHV',
  version: 1,
  applicationId: 'application',
  kind: 'checkout',
  bookingId: 'booking',
  state: 'confirmed',
  listingId: 'home',
  checkIn: '2027-03-30',
  checkOut: '2027-04-01',
  party: QUOTE.party,
  charges: CHARGES,
  cancellation: null,
  refundMinor: null,
  collectedMinor: null,
  confirmedAt: NOW - 10_000,
  cancelledAt: null,
  updatedAt: NOW - 10_000,
  materializedAt: NOW - 9_000,
  announced: null,
  ...rest,
});
