import Type from 'typebox';
import { limits } from '../limits.ts';
import { materializations, requestStates, reservationStates } from '../states.ts';
import { Failure, GuestInput, NextActions, PollAfterSeconds } from './checkout.ts';
import {
  answerOptions,
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

/** Spec: Resources, Reservation. */
export const Reservation = Type.Object(
  {
    reference: Type.String({ description: 'As it was asked for.' }),
    state: Type.Enum([...reservationStates]),
    listingId: Uuid('The home.'),
    checkIn: CalendarDate('Arrival.'),
    checkOut: CalendarDate('Departure.'),
    party: Party,
    charges: Charges,
    cancelledAt: Nullable(Instant('When it was cancelled.')),
    updatedAt: Instant('When it last changed.'),
    materialization: Type.Enum([...materializations], {
      description:
        '`pending`, usually for less than a minute: the answer is made from the confirmed checkout. Then `ready`.',
    }),
  },
  answerOptions('Reservation', "The stay as it is now, the reservations team's changes included."),
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
        pattern: '\\S',
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
    state: Type.Enum([...requestStates], {
      description:
        '`confirmed` stays, also when the reservation is cancelled later. `unresolved` is not final: keep reading, and ask for nothing else for this home and these dates.',
    }),
    quoteId: Uuid('The quote used.'),
    partnerReference: Nullable(Type.String()),
    reference: Nullable(Type.String({ description: 'Of the reservation, once confirmed.' })),
    nextActions: NextActions,
    pollAfterSeconds: Type.Optional(PollAfterSeconds),
    failure: Type.Optional(Failure),
    createdAt: Instant('When it was made.'),
    updatedAt: Instant('When it last changed.'),
  },
  answerOptions('ReservationRequest', 'A reservation asked for in one call.'),
);
export type ReservationRequest = Type.Static<typeof ReservationRequest>;

export const ReservationRequestPage = Type.Object(
  { items: Type.Array(ReservationRequest), nextCursor: NextCursor },
  answerOptions('ReservationRequestPage', 'Requests, newest first.'),
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
