/** One booking: the IDs, instants and resources that the examples share. */
import type { EventType } from '../../events.ts';
import type { Checkout, GuestInput, PaymentSetup } from '../schemas/checkout.ts';
import type { Event } from '../schemas/event.ts';
import type { Meta } from '../schemas/primitives.ts';
import type { ChangeRequest } from '../schemas/change-request.ts';
import type { Quote } from '../schemas/quote.ts';
import type { Reservation, ReservationRequest } from '../schemas/reservation.ts';
import { simulationDefinitionVersion } from '../../wire.ts';
import {
  charges,
  listing,
  party,
  promotedCharges,
  promotedTerms,
  promotionCode,
  quotedAt,
  stay,
  terms,
} from './stay.ts';

/** IDs that the partner chooses: UUIDv7. */
export const ids = {
  quote: '01a406c5-1b00-7632-b245-3a45d3d9ea72',
  checkout: '01a406c7-566a-7c77-a1e5-969f7edd4981',
  signal: '01a406c5-1e70-7d04-9924-15885af6d065',
  correlation: '01a406c2-4010-7577-bf0c-f4ee4f887ec9',
  journey: '01a406c2-47e0-7cde-9689-bbebbf6c5fe5',
  requestQuote: '01a406d3-d410-765d-876f-ee3498137e33',
  request: '01a406d5-4476-71f5-8b91-5b24d108d7ac',
  changeRequest: '01a5972e-f180-7b1c-9a52-6d0f3e7c1b84',
} as const;

/** IDs that the service chooses. */
export const reference = 'LK-7Q4M-2XHV';
const requestReference = 'LK-0G5R-9KTB';
export const partnerReference = 'order-20427';
export const orderReference = 'order-20426';
export const sessionCapability = 'RehGNbxIA8XMXUVseYoT03p_0YT3awErAcAWdtXORsA';
export const searchObservationId = '01a406c4-43b0-7645-a5b0-a26c296b5a80';
/** Cursors of lists. */
export const listCursor = 'Zt3mQ0y8Lr5vXw1kHcNf2TA';
export const searchCursor = '5uJ9bWq7RkYd0sEoVhMx4DE';
export const feedCursor = 'kq0f3vT1xGmZ8bN5sLr2aTI';

export const paymentMethodId = 'pm_simulated_visa';

/** When the catalog and the nights of the examples were read. */
export const meta: Meta = {
  asOf: '2027-03-02T15:03:10.000Z',
  completeness: 'complete',
  definitionVersion: simulationDefinitionVersion,
};

export const guest: GuestInput = {
  firstName: 'Inês',
  lastName: 'Carvalho',
  email: 'ines.carvalho@guest.invalid',
  phone: '+351912345678',
};

export const quote: Quote = {
  quoteId: ids.quote,
  listingId: listing.listingId,
  checkIn: stay.checkIn,
  checkOut: stay.checkOut,
  party,
  charges,
  terms,
  promotionCode: null,
  expiresAt: '2027-03-02T15:19:05.120Z',
  createdAt: quotedAt,
};

const readySetup: PaymentSetup = {
  state: 'ready',
  kind: 'simulation',
  publishableKey: 'pk_simulated',
  clientSecret: 'setup_simulated_5d1f0c9e8b7a46352413f0e1_secret_d2c3b4a5968778695a4b3c2d',
  setupReference: 'setup_simulated_5d1f0c9e8b7a46352413f0e1',
};

export const setupReference = 'setup_simulated_5d1f0c9e8b7a46352413f0e1';

const created: Checkout = {
  checkoutId: ids.checkout,
  quoteId: ids.quote,
  version: 1,
  state: 'needs_guest',
  nextActions: ['save_guest'],
  settlement: 'card',
  listingId: listing.listingId,
  checkIn: stay.checkIn,
  checkOut: stay.checkOut,
  party,
  charges,
  terms,
  promotionCode: null,
  partnerReference: orderReference,
  guest: null,
  quoteExpiresAt: quote.expiresAt,
  createdAt: '2027-03-02T15:06:31.402Z',
  updatedAt: '2027-03-02T15:06:31.402Z',
};

const withGuest: Checkout = {
  ...created,
  version: 2,
  state: 'needs_payment',
  nextActions: ['setup_payment'],
  guest,
  updatedAt: '2027-03-02T15:08:02.915Z',
};

const promoted: Checkout = {
  ...withGuest,
  version: 3,
  charges: promotedCharges,
  terms: promotedTerms,
  promotionCode,
  updatedAt: '2027-03-02T15:08:40.260Z',
};

const setupAsked: Checkout = {
  ...promoted,
  version: 4,
  nextActions: ['poll'],
  paymentSetup: { state: 'pending' },
  pollAfterSeconds: 1,
  updatedAt: '2027-03-02T15:09:05.731Z',
};

const { pollAfterSeconds: _, ...answered } = setupAsked;

const setupReady: Checkout = {
  ...answered,
  version: 5,
  nextActions: ['verify_payment'],
  paymentSetup: readySetup,
  updatedAt: '2027-03-02T15:09:06.118Z',
};

const verified: Checkout = {
  ...setupReady,
  version: 6,
  state: 'ready',
  nextActions: ['submit'],
  updatedAt: '2027-03-02T15:10:51.340Z',
};

/** The checkout if the card required an authentication step at submit. */
const goingOn: Checkout = {
  ...verified,
  version: 8,
  state: 'pending',
  nextActions: ['poll'],
  pollAfterSeconds: 1,
  updatedAt: '2027-03-02T15:12:20.004Z',
};

/** The checkout after each step. */
export const checkouts = {
  created,
  withGuest,
  promoted,
  setupAsked,
  setupReady,
  verified,
  goingOn,
} as const;

/** The versions after submit and after the outcome. */
export const submittedVersion = 7;
export const confirmedVersion = 8;
export const confirmedAt = '2027-03-02T15:11:42.087Z';

export const reservation: Reservation = {
  reference,
  state: 'confirmed',
  listingId: listing.listingId,
  checkIn: stay.checkIn,
  checkOut: stay.checkOut,
  party,
  charges: promotedCharges,
  cancelledAt: null,
  updatedAt: confirmedAt,
  materialization: 'ready',
  property: {
    address: null,
    arrivalInstructions: null,
    checkInFrom: listing.checkInFrom,
    checkOutUntil: listing.checkOutUntil,
  },
  partnerReference: orderReference,
  checkoutId: ids.checkout,
};

const requested: ReservationRequest = {
  reservationRequestId: ids.request,
  version: 1,
  state: 'pending',
  quoteId: ids.requestQuote,
  partnerReference,
  promotionCode: null,
  reference: null,
  nextActions: ['poll'],
  pollAfterSeconds: 1,
  createdAt: '2027-03-02T15:21:44.310Z',
  updatedAt: '2027-03-02T15:21:44.310Z',
};

/** A reservation request after it was accepted, and with its outcome. */
export const requests = {
  requested,
  confirmed: {
    reservationRequestId: ids.request,
    version: 2,
    state: 'confirmed',
    quoteId: ids.requestQuote,
    partnerReference,
    promotionCode: null,
    reference: requestReference,
    nextActions: ['view_confirmation'],
    createdAt: requested.createdAt,
    updatedAt: '2027-03-02T15:21:45.012Z',
  } satisfies ReservationRequest,
} as const;

const asked: ChangeRequest = {
  changeRequestId: ids.changeRequest,
  reference,
  kind: 'cancel',
  checkIn: null,
  checkOut: null,
  party: null,
  note: 'The guest has broken a leg.',
  state: 'open',
  preview: {
    currency: promotedCharges.currency,
    total: null,
    difference: null,
    refund: promotedTerms.cancellation[0]?.refundAmount ?? 0,
  },
  reason: null,
  createdAt: '2027-05-19T09:08:14.720Z',
  decidedAt: null,
};

/** A request for a cancellation: open, withdrawn and accepted. */
export const changeRequests = {
  asked,
  withdrawn: { ...asked, state: 'withdrawn', decidedAt: '2027-05-19T09:20:02.114Z' },
  accepted: { ...asked, state: 'accepted', decidedAt: '2027-05-19T09:30:00.000Z' },
} as const satisfies Record<string, ChangeRequest>;

/** One event of each type, all of this booking. */
export const exampleEvents: { readonly [T in EventType]: Extract<Event, { type: T }> } = {
  'checkout.resolved': {
    id: 'evt_01a406cc14077d7da7f76aaf42fa0ca8',
    type: 'checkout.resolved',
    schemaVersion: 1,
    timestamp: confirmedAt,
    sequence: 1,
    data: {
      checkoutId: ids.checkout,
      state: 'confirmed',
      version: confirmedVersion,
      reference,
      resolvedAt: confirmedAt,
    },
  },
  'reservation.confirmed': {
    id: 'evt_01a406cc140876ec85bd8782cd5e0a40',
    type: 'reservation.confirmed',
    schemaVersion: 1,
    timestamp: confirmedAt,
    sequence: 2,
    data: { reference, checkoutId: ids.checkout, state: 'confirmed', confirmedAt },
  },
  'reservation.changed': {
    id: 'evt_01a4d456c4747255bc9ebbc7df7ef3e3',
    type: 'reservation.changed',
    schemaVersion: 1,
    timestamp: '2027-04-11T13:05:20.500Z',
    sequence: 3,
    data: {
      reference,
      checkoutId: ids.checkout,
      state: 'confirmed',
      changes: ['dates'],
      changedAt: '2027-04-11T13:05:20.500Z',
    },
  },
  'reservation.cancelled': {
    id: 'evt_01a5974345c071df9c81a1338e339831',
    type: 'reservation.cancelled',
    schemaVersion: 1,
    timestamp: '2027-05-19T09:30:00.000Z',
    sequence: 4,
    data: {
      reference,
      checkoutId: ids.checkout,
      state: 'cancelled',
      cancelledAt: '2027-05-19T09:30:00.000Z',
    },
  },
  'change_request.decided': {
    id: 'evt_01a5974345c071df9c81a1338e339832',
    type: 'change_request.decided',
    schemaVersion: 1,
    timestamp: '2027-05-19T09:30:00.000Z',
    sequence: 5,
    data: { reference, changeRequestId: ids.changeRequest, state: 'accepted' },
  },
};
