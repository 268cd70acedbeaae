import Type from 'typebox';
import { eventTypes, type EventType } from '../events.ts';
import { errors, type ErrorCode } from '../errors.ts';
import { Event } from '../partner/schemas/event.ts';
import {
  answerOptions,
  Cursor,
  Instant,
  NextCursor,
  Nullable,
  requestOptions,
  Uuid,
  UuidInput,
} from '../partner/schemas/primitives.ts';
import { environments, settlements } from '../wire.ts';
import { portalLimits } from './limits.ts';

const types = Object.keys(eventTypes) as EventType[];

/** The states of an endpoint, and why it is not active. */
const endpointStates = ['active', 'paused', 'disabled'] as const;
const endpointStateReasons = ['by_hand', 'failing', 'gone'] as const;

/** The states of a delivery. */
export const deliveryStates = ['pending', 'delivered', 'exhausted'] as const;

/** Why an attempt was no success. */
const attemptErrors = [
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
] as const;

/** The methods of the operations, as the request log shows them. */
const loggedMethods = ['GET', 'POST', 'PATCH'] as const;

const EventTypeName = (description: string) => Type.Enum(types, { description });

const SomeEventTypes = Type.Array(Type.Enum(types), { minItems: 1, uniqueItems: true });

const EndpointUrl = Type.String({
  minLength: 1,
  maxLength: portalLimits.urlLength,
  description:
    'Where events are sent. HTTPS; in the simulation, while it listens on loopback only, also plain HTTP to loopback. Names are resolved anew at every attempt, and an address that is not public is refused.',
});

const Description = Type.String({
  maxLength: portalLimits.descriptionLength,
  pattern: '^\\P{Cc}*$',
  description: 'For you: what the endpoint is for. One line.',
});

const chosenTypes = 'The types that are sent; null: all of them, later ones included.';

const PageLimit = Type.Integer({
  minimum: portalLimits.pageSize.min,
  maximum: portalLimits.pageSize.max,
  default: portalLimits.pageSize.default,
  description: 'How many items to answer with, at most.',
});

const paged = {
  limit: Type.Optional(PageLimit),
  cursor: Type.Optional(Cursor),
};

export const BeginSession = Type.Object(
  {
    link: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'What stands behind `#link=` in the link that the operator gave you.',
    }),
  },
  requestOptions('BeginSession', 'A link that was not used yet.'),
);

export const Session = Type.Object(
  {
    application: Type.Object({
      applicationId: Uuid('The application that the session is for.'),
      name: Type.String(),
      settlement: Type.Enum([...settlements]),
    }),
    environment: Type.Enum([...environments]),
    expiresAt: Instant(`When the session ends: ${portalLimits.sessionHours} hours after it began.`),
    baseUrl: Type.String({ description: 'Where the API of this environment is.' }),
  },
  answerOptions('Session', 'Whose session this is.'),
);

export const EventTypeList = Type.Object(
  {
    items: Type.Array(
      Type.Object({
        type: EventTypeName('Its name.'),
        summary: Type.String({ description: 'What it says.' }),
        when: Type.String({ description: 'When it is sent.' }),
        example: Event,
      }),
    ),
  },
  answerOptions('EventTypeList', 'Every type of event.'),
);

const endpointMembers = {
  endpointId: Uuid('The endpoint.'),
  url: Type.String(),
  description: Type.String(),
  eventTypes: Type.Union([Type.Array(Type.Enum(types)), Type.Null()], { description: chosenTypes }),
  state: Type.Enum([...endpointStates], {
    description: 'Nothing is attempted unless it is `active`.',
  }),
  stateReason: Type.Union([Type.Enum([...endpointStateReasons]), Type.Null()], {
    description:
      'Why it is not active: `by_hand`, `failing` (every attempt failed for 5 days), `gone` (it answered 410).',
  }),
  stateSince: Instant('Since when it is in this state.'),
  failingSince: Type.Union([Instant('The first failure since the last success.'), Type.Null()]),
  missed: Type.Integer({
    minimum: 0,
    description:
      'Events that wait for it to be resumed, or that were passed over when it was, and can still be replayed. ' +
      `Only the first ${portalLimits.missedCountedAtMost.toLocaleString('en')} are looked at; the number is then at least 1.`,
  }),
  previousSecretUntil: Type.Union([
    Instant('Until when the secret before this one signs too.'),
    Type.Null(),
  ]),
  createdAt: Instant('When it was added.'),
  updatedAt: Instant('When it was last changed.'),
};

export const Endpoint = Type.Object(
  endpointMembers,
  answerOptions('Endpoint', 'Where events are sent.'),
);
export type Endpoint = Type.Static<typeof Endpoint>;

const secret = Type.String({
  pattern: '^whsec_',
  description: 'What deliveries are signed with: `whsec_` and 32 bytes in base64.',
});

export const AddedEndpoint = Type.Object(
  { ...endpointMembers, secret },
  answerOptions('AddedEndpoint', 'The new endpoint, with its secret.'),
);

export const EndpointList = Type.Object(
  { items: Type.Array(Endpoint) },
  answerOptions('EndpointList', 'Every endpoint, oldest first.'),
);

export const AddEndpoint = Type.Object(
  {
    url: EndpointUrl,
    description: Type.Optional(Description),
    eventTypes: Type.Optional(Nullable(SomeEventTypes)),
  },
  requestOptions('AddEndpoint', 'An endpoint to add.'),
);

export const ChangeEndpoint = Type.Object(
  {
    url: Type.Optional(EndpointUrl),
    description: Type.Optional(Description),
    eventTypes: Type.Optional(Nullable(SomeEventTypes)),
  },
  requestOptions('ChangeEndpoint', 'What is to be other than it is; the rest stays.'),
);

export const EmptyBody = Type.Object(
  {},
  requestOptions(
    'EmptyBody',
    'An object without members: it shows that no form of another site sent it.',
  ),
);

export const ResumeEndpoint = Type.Object(
  {
    missed: Type.Enum(['replay', 'skip'], {
      description:
        'Whether events of the pause are sent now, in order, as far as the feed still has them; or passed over, to be replayed later or never.',
    }),
  },
  requestOptions('ResumeEndpoint', 'What becomes of the events of the pause.'),
);

export const Secrets = Type.Object(
  {
    secret,
    previous: Type.Union([
      Type.Object({ secret, expiresAt: Instant('Until when it signs too.') }),
      Type.Null(),
    ]),
  },
  answerOptions('Secrets', 'The secret, and the one before while it still signs.'),
);

export const SendTest = Type.Object(
  { type: EventTypeName('What kind of event to make up.') },
  requestOptions('SendTest', 'A test event.'),
);

export const ReplayMany = Type.Object(
  {
    what: Type.Enum(['failed', 'missed'], {
      description:
        '`failed`: deliveries that were given up since `since`. `missed`: events that a resumption passed over.',
    }),
    since: Type.Optional(Instant('Of `failed`, and only of it: since when.')),
  },
  requestOptions('ReplayMany', 'What to send again.'),
);

export const Replayed = Type.Object(
  { replayed: Type.Integer({ minimum: 0, description: 'How many are sent again.' }) },
  answerOptions('Replayed', 'How many deliveries were made due.'),
);

const deliveryMembers = {
  deliveryId: Uuid('The delivery.'),
  endpointId: Uuid('Where it goes.'),
  eventId: Type.String({
    pattern: '^evt_[0-9a-f]{32}$',
    description: 'The event, as in the feed and in `webhook-id`.',
  }),
  type: Type.Enum(types),
  sequence: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
    description: "The event's place in the application's order; null: a test event.",
  }),
  test: Type.Boolean(),
  state: Type.Enum([...deliveryStates], {
    description:
      '`pending`: it will be attempted. `delivered`: a 2xx came back. `exhausted`: given up.',
  }),
  attempts: Type.Integer({
    minimum: 0,
    description: 'Since it was first made due, or last replayed.',
  }),
  nextAttemptAt: Type.Union([Instant('When it is attempted next, at the earliest.'), Type.Null()]),
  lastAttemptAt: Type.Union([Instant('When it was last attempted.'), Type.Null()]),
  lastStatus: Type.Union([Type.Integer(), Type.Null()], { description: 'What that answered.' }),
  lastError: Type.Union([Type.Enum([...attemptErrors]), Type.Null()], {
    description: 'Why that was no success.',
  }),
  createdAt: Instant('When it was first made due.'),
  deliveredAt: Type.Union([Instant('When it succeeded.'), Type.Null()]),
};

export const Delivery = Type.Object(
  deliveryMembers,
  answerOptions('Delivery', 'An event on its way to an endpoint.'),
);
export type Delivery = Type.Static<typeof Delivery>;

export const DeliveryQuery = Type.Object(
  {
    endpointId: Type.Optional(UuidInput('Only deliveries to this endpoint.')),
    state: Type.Optional(Type.Enum([...deliveryStates], { description: 'Only those in it.' })),
    type: Type.Optional(EventTypeName('Only events of this type.')),
    ...paged,
  },
  { additionalProperties: false },
);

export const DeliveryPage = Type.Object(
  { items: Type.Array(Delivery), nextCursor: NextCursor },
  answerOptions('DeliveryPage', 'Deliveries, newest first.'),
);

const Attempt = Type.Object(
  {
    number: Type.Integer({ minimum: 1 }),
    startedAt: Instant('When it began.'),
    durationMs: Type.Integer({ minimum: 0 }),
    status: Type.Union([Type.Integer(), Type.Null()], { description: 'Null: nothing came back.' }),
    error: Type.Union([Type.Enum([...attemptErrors]), Type.Null()], {
      description: 'Null: it succeeded.',
    }),
    response: Type.Union([Type.String(), Type.Null()], {
      description: 'The beginning of the answer, 2 KB at most.',
    }),
  },
  answerOptions('Attempt', 'One try to deliver.'),
);

const SentEvent = Type.Object(
  {
    id: Type.String(),
    type: Type.Enum(types),
    schemaVersion: Type.Integer({ minimum: 1 }),
    timestamp: Instant('When it happened.'),
    sequence: Type.Optional(Type.Integer({ minimum: 1, description: 'Test events have none.' })),
    data: Type.Record(Type.String(), Type.Unknown()),
  },
  answerOptions('SentEvent', 'The event as it is sent.'),
);

const SentRequest = Type.Object(
  {
    headers: Type.Object({
      'webhook-id': Type.String(),
      'webhook-timestamp': Type.String(),
      'webhook-signature': Type.String(),
    }),
    body: Type.String({ description: 'Byte for byte what was sent.' }),
  },
  answerOptions(
    'SentRequest',
    'The last attempt, signed for its time with the secrets of now: what a verification can be tried on.',
  ),
);

export const DeliveryInFull = Type.Object(
  {
    ...deliveryMembers,
    attemptsMade: Type.Array(Attempt, { description: 'All of them, the first one first.' }),
    event: Type.Union([SentEvent, Type.Null()], {
      description: 'Null: the event has left the feed.',
    }),
    lastRequest: Type.Union([SentRequest, Type.Null()], {
      description: 'Null: there was no attempt yet.',
    }),
  },
  answerOptions('DeliveryInFull', 'A delivery with its attempts.'),
);

export const FeedQuery = Type.Object(
  { type: Type.Optional(EventTypeName('Only events of this type.')), ...paged },
  { additionalProperties: false },
);

export const NewestEvents = Type.Object(
  { items: Type.Array(Event), nextCursor: NextCursor },
  answerOptions('NewestEvents', 'The feed backwards: newest first, 30 days back.'),
);

export const RequestQuery = Type.Object(
  {
    method: Type.Optional(Type.Enum([...loggedMethods], { description: 'Only this method.' })),
    status: Type.Optional(
      Type.String({
        pattern: '^[1-5]([0-9]{2}|xx)$',
        description: 'Only this status (`404`), or this class of them (`4xx`).',
      }),
    ),
    code: Type.Optional(
      Type.Enum(Object.keys(errors) as ErrorCode[], { description: 'Only this error.' }),
    ),
    operation: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'Only this operation, by its `operationId` in the contract.',
      }),
    ),
    ...paged,
  },
  { additionalProperties: false },
);

const LoggedRequest = Type.Object(
  {
    requestId: Uuid('The `x-request-id` of the answer.'),
    at: Instant('When the call came in.'),
    method: Type.String(),
    path: Type.String({
      description:
        'Without the query. Of what stood in the place of an ID, only IDs are shown; anything else as `{name}`.',
    }),
    operation: Type.Union([Type.String(), Type.Null()]),
    status: Type.Integer(),
    code: Type.Union([Type.String(), Type.Null()], { description: 'Of an error.' }),
    durationMs: Type.Integer({ minimum: 0 }),
  },
  answerOptions('LoggedRequest', 'A call of your application that was answered.'),
);

export const RequestPage = Type.Object(
  {
    items: Type.Array(LoggedRequest),
    nextCursor: Type.Union([Cursor, Type.Null()], {
      description:
        'Null: there are no more. With filters a page can hold fewer items than asked for, even none, and go on all the same.',
    }),
  },
  answerOptions('RequestPage', 'Calls, newest first.'),
);
export type RequestPage = Type.Static<typeof RequestPage>;
