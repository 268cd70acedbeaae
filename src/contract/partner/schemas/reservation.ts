import Type from 'typebox';
import { limits } from '../../limits.ts';
import { patterns } from '../../patterns.ts';
import { Failure, GuestInput, PollAfterSeconds, Uncertainty } from './checkout.ts';
import {
  CalendarDate,
  Described,
  Instant,
  InstantInput,
  KnownValue,
  NextCursor,
  Nullable,
  paged,
  Party,
  RequestObject,
  ResponseObject,
  Text,
  Uuid,
  UuidInput,
} from './primitives.ts';
import { Charges } from './quote.ts';
import {
  Materialization,
  NextActions,
  ReservationRequestState,
  ReservationState,
} from './states.ts';

const ReservedProperty = ResponseObject(
  'ReservedProperty',
  'What a guest with a reservation needs to arrive. Null: the catalog no longer sells the home.',
  {
    address: Nullable(
      ResponseObject('PropertyAddress', 'The address of a home.', {
        lines: Type.Array(Type.String()),
        postalCode: Nullable(Type.String()),
        city: Nullable(Type.String()),
        region: Nullable(Type.String()),
        country: Text('ISO 3166-1, two letters.'),
      }),
    ),
    arrivalInstructions: Nullable(Text('Keys, parking, the way.')),
    checkInFrom: Nullable(Text('`HH:MM` at the property.')),
    checkOutUntil: Nullable(Text('`HH:MM` at the property.')),
  },
);

/** Spec: RESERVATION-2. */
export const Reservation = ResponseObject(
  'Reservation',
  'The current state of the stay, with changes by the reservations team.',
  {
    reference: Text('The reference.'),
    state: ReservationState,
    listingId: Uuid('The home.'),
    checkIn: CalendarDate('Arrival.'),
    checkOut: CalendarDate('Departure.'),
    party: Party,
    charges: Charges,
    cancelledAt: Nullable(Instant('When it was cancelled.')),
    updatedAt: Instant('When it last changed.'),
    materialization: Materialization,
    property: Nullable(ReservedProperty),
    partnerReference: Nullable(Text('Your own reference, of the checkout or the request.')),
    checkoutId: Type.Optional(Uuid('The checkout that it was made from.')),
    reservationRequestId: Type.Optional(Uuid('The request that it was made from.')),
  },
);
export type Reservation = Type.Static<typeof Reservation>;

export const ReservationPage = ResponseObject(
  'ReservationPage',
  'Reservations, newest confirmation first.',
  { items: Type.Array(Reservation), nextCursor: NextCursor },
);

export const ReservationQuery = RequestObject({
  ...paged,
  partnerReference: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: limits.partnerReferenceLength,
      description: 'Only reservations with this reference of yours.',
    }),
  ),
  state: Type.Optional(Described(KnownValue(ReservationState), 'Only reservations in this state.')),
  checkInFrom: Type.Optional(CalendarDate('Only arrivals on or after this date.')),
  checkInTo: Type.Optional(CalendarDate('Only arrivals on or before this date.')),
  updatedSince: Type.Optional(InstantInput('Only those that changed at or after this instant.')),
});

export const CreateReservationRequest = RequestObject(
  'CreateReservationRequest',
  'Ask for a reservation in one call.',
  {
    reservationRequestId: Type.Optional(
      UuidInput('Your ID for the request (preferably UUIDv7). Or send `Idempotency-Key`.'),
    ),
    quoteId: UuidInput('The quote. It fixes home, dates, party and price.'),
    termsVersion: Type.String({
      minLength: 1,
      maxLength: limits.opaqueLength,
      description: '`terms.version` of the quote that the guest accepted.',
    }),
    termsAccepted: Type.Literal(true, {
      description: 'Confirms that the guest accepted these terms.',
    }),
    guest: GuestInput,
    partnerReference: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: limits.partnerReferenceLength,
        pattern: patterns.line.pattern,
        description: 'Your own reference, such as an order number; unique among your requests.',
      }),
    ),
  },
);

/** Spec: REQUEST-1. */
export const ReservationRequest = ResponseObject(
  'ReservationRequest',
  'A reservation that was requested in one call.',
  {
    reservationRequestId: Uuid('The ID that the client chose.'),
    version: Type.Integer({ minimum: 1, description: 'Every change raises it.' }),
    state: ReservationRequestState,
    quoteId: Uuid('The quote used.'),
    partnerReference: Nullable(Type.String()),
    promotionCode: Nullable(Text('The promotion code whose discount is in the price.')),
    reference: Nullable(
      Text(
        'The reference of the reservation; null until the request is confirmed. For `view_confirmation`, read the reservation by this reference.',
      ),
    ),
    nextActions: NextActions,
    pollAfterSeconds: Type.Optional(PollAfterSeconds),
    failure: Type.Optional(Failure),
    uncertain: Type.Optional(Uncertainty),
    createdAt: Instant('When it was created.'),
    updatedAt: Instant('When it last changed.'),
  },
);
export type ReservationRequest = Type.Static<typeof ReservationRequest>;

export const ReservationRequestPage = ResponseObject(
  'ReservationRequestPage',
  'Requests, newest first.',
  { items: Type.Array(ReservationRequest), nextCursor: NextCursor },
);

export const ReservationRequestQuery = RequestObject({
  ...paged,
  partnerReference: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: limits.partnerReferenceLength,
      description: 'Only the request with this reference.',
    }),
  ),
});
