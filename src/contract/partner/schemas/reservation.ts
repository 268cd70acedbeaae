import Type from 'typebox';
import { limits } from '../../limits.ts';
import { patterns } from '../../patterns.ts';
import { Failure, GuestInput, PollAfterSeconds } from './checkout.ts';
import {
  responseOptions,
  CalendarDate,
  Cursor,
  Instant,
  NextCursor,
  Nullable,
  PageLimit,
  Party,
  requestOptions,
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

/** Spec: Resources, Reservation. */
export const Reservation = Type.Object(
  {
    reference: Type.String({ description: 'As it was asked for.' }),
    state: ReservationState,
    listingId: Uuid('The home.'),
    checkIn: CalendarDate('Arrival.'),
    checkOut: CalendarDate('Departure.'),
    party: Party,
    charges: Charges,
    cancelledAt: Nullable(Instant('When it was cancelled.')),
    updatedAt: Instant('When it last changed.'),
    materialization: Materialization,
  },
  responseOptions(
    'Reservation',
    "The stay as it is now, the reservations team's changes included.",
  ),
);
export type Reservation = Type.Static<typeof Reservation>;

export const CreateReservationRequest = Type.Object(
  {
    reservationRequestId: Type.Optional(
      UuidInput('Your name for the request (UUIDv7 is best). Or send `Idempotency-Key`.'),
    ),
    quoteId: UuidInput('It fixes home, dates, party and price.'),
    termsVersion: Type.String({
      minLength: 1,
      maxLength: limits.opaqueLength,
      description: '`terms.version` of the quote that the guest accepted.',
    }),
    termsAccepted: Type.Literal(true, { description: 'That the guest accepted them.' }),
    guest: GuestInput,
    partnerReference: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: limits.partnerReferenceLength,
        pattern: patterns.text.pattern,
        description: 'A name of your own (an order number); unique among your requests.',
      }),
    ),
  },
  requestOptions('CreateReservationRequest', 'Ask for a reservation in one call.'),
);

/** Spec: Resources, Reservation request. */
export const ReservationRequest = Type.Object(
  {
    reservationRequestId: Uuid('As the client named it.'),
    version: Type.Integer({ minimum: 1, description: 'Every change moves it.' }),
    state: ReservationRequestState,
    quoteId: Uuid('The quote used.'),
    partnerReference: Nullable(Type.String()),
    reference: Nullable(
      Type.String({
        description:
          'Of the reservation; null until the request is confirmed. Read the reservation by it: that is what `view_confirmation` means here.',
      }),
    ),
    nextActions: NextActions,
    pollAfterSeconds: Type.Optional(PollAfterSeconds),
    failure: Type.Optional(Failure),
    createdAt: Instant('When it was made.'),
    updatedAt: Instant('When it last changed.'),
  },
  responseOptions('ReservationRequest', 'A reservation asked for in one call.'),
);
export type ReservationRequest = Type.Static<typeof ReservationRequest>;

export const ReservationRequestPage = Type.Object(
  { items: Type.Array(ReservationRequest), nextCursor: NextCursor },
  responseOptions('ReservationRequestPage', 'Requests, newest first.'),
);

export const ReservationRequestQuery = Type.Object(
  {
    limit: Type.Optional(PageLimit),
    cursor: Type.Optional(Cursor),
    partnerReference: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: limits.partnerReferenceLength,
        description: 'Only the request that was given this name; no items where there is none.',
      }),
    ),
  },
  { additionalProperties: false },
);
