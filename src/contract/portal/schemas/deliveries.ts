import Type from 'typebox';
import { EventTypeName, SentEventType } from '../../partner/schemas/event.ts';
import {
  Described,
  Instant,
  KnownValue,
  NextCursor,
  OpenEnum,
  RequestObject,
  ResponseObject,
  Text,
  Uuid,
  UuidInput,
} from '../../partner/schemas/primitives.ts';
import { EventId, paged } from './shared.ts';

/** The states of a delivery. */
const deliveryStates = ['pending', 'retrying', 'delivered', 'exhausted'] as const;

const DeliveryState = OpenEnum(
  deliveryStates,
  'DeliveryState',
  '`pending`: it will be attempted. `retrying`: an attempt failed, and it will be attempted again. `delivered`: the endpoint returned a 2xx. `exhausted`: all attempts failed.',
);

const DeliveryError = OpenEnum(
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
  deliveryId: Uuid('The delivery.'),
  endpointId: Uuid('The endpoint.'),
  eventId: EventId('The event, as in the feed and in `webhook-id`.'),
  type: SentEventType,
  sequence: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
    description: 'The `sequence` of the event; null: a test event.',
  }),
  test: Type.Boolean(),
  state: DeliveryState,
  attempts: Type.Integer({
    minimum: 0,
    description: 'Attempts since it was created or last replayed.',
  }),
  nextAttemptAt: Type.Union([Instant('The earliest time of the next attempt.'), Type.Null()]),
  lastAttemptAt: Type.Union([Instant('When it was last attempted.'), Type.Null()]),
  lastStatus: Type.Union([Type.Integer(), Type.Null()], {
    description: 'The status of the last response.',
  }),
  lastError: Type.Union([DeliveryError, Type.Null()], {
    description: 'Why the last attempt failed.',
  }),
  createdAt: Instant('When it was created.'),
  deliveredAt: Type.Union([Instant('When it succeeded.'), Type.Null()]),
};

export const Delivery = ResponseObject(
  'Delivery',
  'The delivery of one event to one endpoint.',
  deliveryMembers,
);
export type Delivery = Type.Static<typeof Delivery>;

export const DeliveryQuery = RequestObject({
  endpointId: Type.Optional(UuidInput('Only deliveries to this endpoint.')),
  eventId: Type.Optional(EventId('Only deliveries of this event.')),
  state: Type.Optional(Described(KnownValue(DeliveryState), 'Only deliveries in this state.')),
  type: Type.Optional(Described(EventTypeName, 'Only events of this type.')),
  ...paged,
});

export const DeliveryPage = ResponseObject('DeliveryPage', 'Deliveries, newest first.', {
  items: Type.Array(Delivery),
  nextCursor: NextCursor,
});

const Attempt = ResponseObject('Attempt', 'One attempt to deliver.', {
  number: Type.Integer({ minimum: 1 }),
  startedAt: Instant('When it began.'),
  durationMs: Type.Integer({ minimum: 0 }),
  status: Type.Union([Type.Integer(), Type.Null()], { description: 'Null: no response.' }),
  error: Type.Union([DeliveryError, Type.Null()], {
    description: 'Null: it succeeded.',
  }),
  response: Type.Union([Type.String(), Type.Null()], {
    description: 'The first 2 KB of the response.',
  }),
});

const SentEvent = ResponseObject('SentEvent', 'The event as it is sent.', {
  id: Type.String(),
  type: SentEventType,
  schemaVersion: Type.Integer({ minimum: 1 }),
  timestamp: Instant('When it happened.'),
  sequence: Type.Optional(Type.Integer({ minimum: 1, description: 'Test events have none.' })),
  data: Type.Record(Type.String(), Type.Unknown()),
});

const SentRequest = ResponseObject(
  'SentRequest',
  'The last attempt, signed for its time with the current secrets. Use it to test your verification.',
  {
    headers: ResponseObject('SignatureHeaders', 'The headers of Standard Webhooks.', {
      'webhook-id': Type.String(),
      'webhook-timestamp': Type.String(),
      'webhook-signature': Type.String(),
    }),
    body: Text('The exact bytes that were sent.'),
  },
);

export const DeliveryInFull = ResponseObject('DeliveryInFull', 'A delivery with its attempts.', {
  ...deliveryMembers,
  attemptsMade: Type.Array(Attempt, { description: 'All attempts, oldest first.' }),
  event: Type.Union([SentEvent, Type.Null()], {
    description: 'Null: the event is no longer in the feed.',
  }),
  lastRequest: Type.Union([SentRequest, Type.Null()], {
    description: 'Null: no attempt yet.',
  }),
});
