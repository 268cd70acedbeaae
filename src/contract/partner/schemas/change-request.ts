import * as Type from '../../type.ts';
import { limits } from '../../limits.ts';
import { patterns } from '../../patterns.ts';
import { changeRequestKinds } from '../../states.ts';
import { NextCursor, paged, Party, PartyInput } from './primitives.ts';
import { ChangeRequestState } from './states.ts';

const ChangeRequestKind = Type.OpenEnum(
  changeRequestKinds,
  'ChangeRequestKind',
  'What is asked for. New values may appear within a wire version.',
);

export const CreateChangeRequest = Type.RequestObject(
  'CreateChangeRequest',
  'Ask for a cancellation or change of a reservation.',
  {
    changeRequestId: Type.Optional(
      Type.UuidInput('Your ID for the request (preferably UUIDv7). Or send `Idempotency-Key`.'),
    ),
    kind: Type.Described(Type.KnownValue(ChangeRequestKind), 'What is asked for.'),
    checkIn: Type.Optional(Type.CalendarDate('With `change`: the new arrival.')),
    checkOut: Type.Optional(Type.CalendarDate('With `change`: the new departure.')),
    party: Type.Optional(Type.Described(PartyInput, 'With `change`: the new party, all of it.')),
    note: Type.Optional(
      Type.GivenText(limits.changeNoteLength, 'For the reservations team: why.', patterns.lines),
    ),
  },
);
export type CreateChangeRequest = Type.Static<typeof CreateChangeRequest>;

const ChangePreview = Type.ResponseObject(
  'ChangePreview',
  'What it would cost or refund, at the time of the request. In minor units.',
  {
    currency: Type.Text('ISO 4217.'),
    total: Type.Nullable(Type.Minor('The total after the change; null for `cancel`.')),
    difference: Type.Nullable(Type.Minor('Above 0: it costs more. Null for `cancel`.')),
    refund: Type.Nullable(Type.Minor('What the terms refund; null for `change`.')),
  },
);
export type ChangePreview = Type.Static<typeof ChangePreview>;

/** Spec: CHANGE-2. */
export const ChangeRequest = Type.ResponseObject(
  'ChangeRequest',
  'A request to cancel or change a reservation.',
  {
    changeRequestId: Type.Uuid('The ID that the client chose.'),
    reference: Type.Text('The reservation.'),
    kind: ChangeRequestKind,
    checkIn: Type.Nullable(Type.CalendarDate('The new arrival; null: it was not sent.')),
    checkOut: Type.Nullable(Type.CalendarDate('The new departure; null: it was not sent.')),
    party: Type.Nullable(Party),
    note: Type.Nullable(Type.Text('Your note; null: none, or it was erased.')),
    state: ChangeRequestState,
    preview: ChangePreview,
    reason: Type.Nullable(Type.Text('What the operator says about the decision; null: nothing.')),
    createdAt: Type.Instant('When it was created.'),
    decidedAt: Type.Nullable(Type.Instant('When it was accepted, declined or withdrawn.')),
  },
);
export type ChangeRequest = Type.Static<typeof ChangeRequest>;

export const ChangeRequestPage = Type.ResponseObject(
  'ChangeRequestPage',
  'Requests for changes, newest first.',
  { items: Type.Array(ChangeRequest), nextCursor: NextCursor },
);

export const ChangeRequestQuery = Type.RequestObject({
  ...paged,
  reference: Type.Optional(Type.GivenText(100, 'Only requests for this reservation.')),
  state: Type.Optional(
    Type.Described(Type.KnownValue(ChangeRequestState), 'Only requests in this state.'),
  ),
});
