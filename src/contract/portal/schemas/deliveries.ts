import * as Type from '../../type.ts';
import { EventTypeName, SentEventType } from '../../partner/schemas/event.ts';
import { NextCursor } from '../../partner/schemas/primitives.ts';
import { EventId, paged } from './shared.ts';

/** The states of a delivery. */
const deliveryStates = ['pending', 'retrying', 'delivered', 'exhausted'] as const;

const DeliveryState = Type.OpenEnum(
  deliveryStates,
  'DeliveryState',
  '`pending`: it will be attempted. `retrying`: an attempt failed, and it will be attempted again. `delivered`: the endpoint returned a 2xx. `exhausted`: all attempts failed.',
);

const DeliveryError = Type.OpenEnum(
  [
    'timeout',
    'connection',
    'tls',
    'dns',
    'forbidden_address',
    'redirect',
    'status',
    'response_too_long',
    'interrupted',
    'secret_unreadable',
    'unrecorded',
  ],
  'DeliveryError',
  'Why an attempt failed.',
);

const deliveryMembers = {
  deliveryId: Type.Uuid('The delivery.'),
  endpointId: Type.Uuid('The endpoint.'),
  eventId: EventId('The event, as in the feed and in `webhook-id`.'),
  type: SentEventType,
  sequence: Type.Nullable(
    Type.Integer({ minimum: 1 }),
    'The `sequence` of the event; null: a test event.',
  ),
  test: Type.Boolean(),
  state: DeliveryState,
  attempts: Type.AtLeast(0, 'Attempts since it was created or last replayed.'),
  nextAttemptAt: Type.Nullable(Type.Instant('The earliest time of the next attempt.')),
  lastAttemptAt: Type.Nullable(Type.Instant('When it was last attempted.')),
  lastStatus: Type.Nullable(Type.Integer(), 'The status of the last response.'),
  lastError: Type.Nullable(DeliveryError, 'Why the last attempt failed.'),
  createdAt: Type.Instant('When it was created.'),
  deliveredAt: Type.Nullable(Type.Instant('When it succeeded.')),
};

export const Delivery = Type.ResponseObject(
  'Delivery',
  'The delivery of one event to one endpoint.',
  deliveryMembers,
);
export type Delivery = Type.Static<typeof Delivery>;

export const DeliveryQuery = Type.RequestObject({
  endpointId: Type.Optional(Type.UuidInput('Only deliveries to this endpoint.')),
  eventId: Type.Optional(EventId('Only deliveries of this event.')),
  state: Type.Optional(
    Type.Described(Type.KnownValue(DeliveryState), 'Only deliveries in this state.'),
  ),
  type: Type.Optional(Type.Described(EventTypeName, 'Only events of this type.')),
  ...paged,
});

export const DeliveryPage = Type.ResponseObject('DeliveryPage', 'Deliveries, newest first.', {
  items: Type.Array(Delivery),
  nextCursor: NextCursor,
});

const Attempt = Type.ResponseObject('Attempt', 'One attempt to deliver.', {
  number: Type.Integer({ minimum: 1 }),
  startedAt: Type.Instant('When it began.'),
  durationMs: Type.Integer({ minimum: 0 }),
  status: Type.Nullable(Type.Integer(), 'Null: no response.'),
  error: Type.Nullable(DeliveryError, 'Null: it succeeded.'),
  response: Type.Nullable(Type.String(), 'The first 2 KB of the response.'),
});

const SentEvent = Type.ResponseObject('SentEvent', 'The event as it is sent.', {
  id: Type.String(),
  type: SentEventType,
  schemaVersion: Type.Integer({ minimum: 1 }),
  timestamp: Type.Instant('When it happened.'),
  sequence: Type.Optional(Type.AtLeast(1, 'Test events have none.')),
  data: Type.Record(Type.String(), Type.Unknown()),
});

const SentRequest = Type.ResponseObject(
  'SentRequest',
  'The last attempt, signed for its time with the current secrets. Use it to test your verification.',
  {
    headers: Type.ResponseObject('SignatureHeaders', 'The headers of Standard Webhooks.', {
      'webhook-id': Type.String(),
      'webhook-timestamp': Type.String(),
      'webhook-signature': Type.String(),
    }),
    body: Type.Text('The exact bytes that were sent.'),
  },
);

export const DeliveryInFull = Type.ResponseObject(
  'DeliveryInFull',
  'A delivery with its attempts.',
  {
    ...deliveryMembers,
    attemptsMade: Type.Array(Attempt, { description: 'All attempts, oldest first.' }),
    event: Type.Nullable(SentEvent, 'Null: the event is no longer in the feed.'),
    lastRequest: Type.Nullable(SentRequest, 'Null: no attempt yet.'),
  },
);
