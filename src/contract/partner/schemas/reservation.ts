import * as Type from '../../type.ts';
import { limits } from '../../limits.ts';
import { patterns } from '../../patterns.ts';
import { Failure, GuestInput, PollAfterSeconds, Uncertainty } from './checkout.ts';
import { NextCursor, paged, Party } from './primitives.ts';
import { Charges } from './quote.ts';
import {
  Materialization,
  NextActions,
  ReservationRequestState,
  ReservationState,
} from './states.ts';

const ReservedProperty = Type.ResponseObject(
  'ReservedProperty',
  'What a guest with a reservation needs to arrive. Null: the catalog no longer sells the home.',
  {
    address: Type.Nullable(
      Type.ResponseObject('PropertyAddress', 'The address of a home.', {
        lines: Type.Array(Type.String()),
        postalCode: Type.Nullable(Type.String()),
        city: Type.Nullable(Type.String()),
        region: Type.Nullable(Type.String()),
        country: Type.Text('ISO 3166-1, two letters.'),
      }),
    ),
    arrivalInstructions: Type.Nullable(Type.Text('Keys, parking, the way.')),
    checkInFrom: Type.Nullable(Type.Text('`HH:MM` at the property.')),
    checkOutUntil: Type.Nullable(Type.Text('`HH:MM` at the property.')),
  },
);

/** Spec: RESERVATION-2. */
export const Reservation = Type.ResponseObject(
  'Reservation',
  'The current state of the stay, with changes by the reservations team.',
  {
    reference: Type.Text('The reference.'),
    state: ReservationState,
    listingId: Type.Uuid('The home.'),
    checkIn: Type.CalendarDate('Arrival.'),
    checkOut: Type.CalendarDate('Departure.'),
    party: Party,
    charges: Charges,
    cancelledAt: Type.Nullable(Type.Instant('When it was cancelled.')),
    updatedAt: Type.Instant('When it last changed.'),
    materialization: Materialization,
    property: Type.Nullable(ReservedProperty),
    partnerReference: Type.Nullable(
      Type.Text('Your own reference, of the checkout or the request.'),
    ),
    checkoutId: Type.Optional(Type.Uuid('The checkout that it was made from.')),
    reservationRequestId: Type.Optional(Type.Uuid('The request that it was made from.')),
  },
);
export type Reservation = Type.Static<typeof Reservation>;

export const ReservationPage = Type.ResponseObject(
  'ReservationPage',
  'Reservations, newest confirmation first.',
  { items: Type.Array(Reservation), nextCursor: NextCursor },
);

export const ReservationQuery = Type.RequestObject({
  ...paged,
  partnerReference: Type.Optional(
    Type.GivenText(
      limits.partnerReferenceLength,
      'Only reservations with this reference of yours.',
    ),
  ),
  state: Type.Optional(
    Type.Described(Type.KnownValue(ReservationState), 'Only reservations in this state.'),
  ),
  checkInFrom: Type.Optional(Type.CalendarDate('Only arrivals on or after this date.')),
  checkInTo: Type.Optional(Type.CalendarDate('Only arrivals on or before this date.')),
  updatedSince: Type.Optional(
    Type.InstantInput('Only those that changed at or after this instant.'),
  ),
});

export const CreateReservationRequest = Type.RequestObject(
  'CreateReservationRequest',
  'Ask for a reservation in one call.',
  {
    reservationRequestId: Type.Optional(
      Type.UuidInput('Your ID for the request (preferably UUIDv7). Or send `Idempotency-Key`.'),
    ),
    quoteId: Type.UuidInput('The quote. It fixes home, dates, party and price.'),
    termsVersion: Type.GivenText(
      limits.opaqueLength,
      '`terms.version` of the quote that the guest accepted.',
    ),
    termsAccepted: Type.Literal(true, {
      description: 'Confirms that the guest accepted these terms.',
    }),
    guest: GuestInput,
    partnerReference: Type.Optional(
      Type.GivenText(
        limits.partnerReferenceLength,
        'Your own reference, such as an order number; unique among your requests.',
        patterns.line,
      ),
    ),
  },
);

/** Spec: REQUEST-1. */
export const ReservationRequest = Type.ResponseObject(
  'ReservationRequest',
  'A reservation that was requested in one call.',
  {
    reservationRequestId: Type.Uuid('The ID that the client chose.'),
    version: Type.AtLeast(1, 'Every change raises it.'),
    state: ReservationRequestState,
    quoteId: Type.Uuid('The quote used.'),
    partnerReference: Type.Nullable(Type.String()),
    promotionCode: Type.Nullable(Type.Text('The promotion code whose discount is in the price.')),
    reference: Type.Nullable(
      Type.Text(
        'The reference of the reservation; null until the request is confirmed. For `view_confirmation`, read the reservation by this reference.',
      ),
    ),
    nextActions: NextActions,
    pollAfterSeconds: Type.Optional(PollAfterSeconds),
    failure: Type.Optional(Failure),
    uncertain: Type.Optional(Uncertainty),
    createdAt: Type.Instant('When it was created.'),
    updatedAt: Type.Instant('When it last changed.'),
  },
);
export type ReservationRequest = Type.Static<typeof ReservationRequest>;

export const ReservationRequestPage = Type.ResponseObject(
  'ReservationRequestPage',
  'Requests, newest first.',
  { items: Type.Array(ReservationRequest), nextCursor: NextCursor },
);

export const ReservationRequestQuery = Type.RequestObject({
  ...paged,
  partnerReference: Type.Optional(
    Type.GivenText(limits.partnerReferenceLength, 'Only the request with this reference.'),
  ),
});
