import Type from 'typebox';
import { limits } from '../../limits.ts';
import { patterns } from '../../patterns.ts';
import { changeRequestKinds } from '../../states.ts';
import {
  CalendarDate,
  Described,
  Instant,
  KnownValue,
  Minor,
  NextCursor,
  Nullable,
  OpenEnum,
  paged,
  Party,
  PartyInput,
  RequestObject,
  ResponseObject,
  Text,
  Uuid,
  UuidInput,
} from './primitives.ts';
import { ChangeRequestState } from './states.ts';

const ChangeRequestKind = OpenEnum(
  changeRequestKinds,
  'ChangeRequestKind',
  'What is asked for. New values may appear within a wire version.',
);

export const CreateChangeRequest = RequestObject(
  'CreateChangeRequest',
  'Ask for a cancellation or change of a reservation.',
  {
    changeRequestId: Type.Optional(
      UuidInput('Your ID for the request (preferably UUIDv7). Or send `Idempotency-Key`.'),
    ),
    kind: Described(KnownValue(ChangeRequestKind), 'What is asked for.'),
    checkIn: Type.Optional(CalendarDate('With `change`: the new arrival.')),
    checkOut: Type.Optional(CalendarDate('With `change`: the new departure.')),
    party: Type.Optional(Described(PartyInput, 'With `change`: the new party, all of it.')),
    note: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: limits.changeNoteLength,
        pattern: patterns.lines.pattern,
        description: 'For the reservations team: why.',
      }),
    ),
  },
);
export type CreateChangeRequest = Type.Static<typeof CreateChangeRequest>;

const ChangePreview = ResponseObject(
  'ChangePreview',
  'What it would cost or refund, at the time of the request. In minor units.',
  {
    currency: Text('ISO 4217.'),
    total: Nullable(Minor('The total after the change; null for `cancel`.')),
    difference: Nullable(Minor('Above 0: it costs more. Null for `cancel`.')),
    refund: Nullable(Minor('What the terms refund; null for `change`.')),
  },
);
export type ChangePreview = Type.Static<typeof ChangePreview>;

/** Spec: CHANGE-2. */
export const ChangeRequest = ResponseObject(
  'ChangeRequest',
  'A request to cancel or change a reservation.',
  {
    changeRequestId: Uuid('The ID that the client chose.'),
    reference: Text('The reservation.'),
    kind: ChangeRequestKind,
    checkIn: Nullable(CalendarDate('The new arrival; null: it was not sent.')),
    checkOut: Nullable(CalendarDate('The new departure; null: it was not sent.')),
    party: Nullable(Party),
    note: Nullable(Text('Your note; null: none, or it was erased.')),
    state: ChangeRequestState,
    preview: ChangePreview,
    reason: Nullable(Text('What the operator says about the decision; null: nothing.')),
    createdAt: Instant('When it was created.'),
    decidedAt: Nullable(Instant('When it was accepted, declined or withdrawn.')),
  },
);
export type ChangeRequest = Type.Static<typeof ChangeRequest>;

export const ChangeRequestPage = ResponseObject(
  'ChangeRequestPage',
  'Requests for changes, newest first.',
  { items: Type.Array(ChangeRequest), nextCursor: NextCursor },
);

export const ChangeRequestQuery = RequestObject({
  ...paged,
  reference: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'Only requests for this reservation.',
    }),
  ),
  state: Type.Optional(Described(KnownValue(ChangeRequestState), 'Only requests in this state.')),
});
