import Type from 'typebox';
import { eventTypes, type EventType } from '../events.ts';
import { errors, type ErrorCode } from '../errors.ts';
import { Event } from '../partner/schemas/event.ts';
import {
  responseOptions,
  Cursor,
  Instant,
  InstantInput,
  NextCursor,
  Nullable,
  Party,
  requestOptions,
  Uuid,
  UuidInput,
} from '../partner/schemas/primitives.ts';
import { limits, tiers } from '../limits.ts';
import { operatorLimits } from '../operator/limits.ts';
import { reservationStates } from '../states.ts';
import { environments, settlements } from '../wire.ts';
import { portalLimits } from './limits.ts';

const types = Object.keys(eventTypes) as EventType[];

/** The states of an endpoint, and why it is not active. */
const endpointStates = ['active', 'paused', 'disabled'] as const;
const endpointStateReasons = ['by_hand', 'failing', 'gone'] as const;

/** The states of a delivery. */
export const deliveryStates = ['pending', 'retrying', 'delivered', 'exhausted'] as const;

/** Why an attempt failed. */
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
    'Where events are sent, by HTTPS. If the simulation listens only on loopback, also plain HTTP to loopback. The host name is resolved at every attempt; addresses that are not public are refused.',
});

const Description = Type.String({
  maxLength: portalLimits.descriptionLength,
  pattern: '^\\P{Cc}*$',
  description: 'Your own note about the endpoint. One line.',
});

const chosenTypes = 'The event types that are sent; null: all types, including future ones.';

const PageLimit = Type.Integer({
  minimum: portalLimits.pageSize.min,
  maximum: portalLimits.pageSize.max,
  default: portalLimits.pageSize.default,
  description: 'Maximum number of items.',
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
      description: 'The part after `#link=` in the link from the operator.',
    }),
  },
  requestOptions('BeginSession', 'A link that has not been used yet.'),
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
    baseUrl: Type.String({ description: 'The base URL of this environment.' }),
  },
  responseOptions('Session', 'A session of the portal.'),
);

export const EventTypeList = Type.Object(
  {
    items: Type.Array(
      Type.Object({
        type: EventTypeName('Its name.'),
        summary: Type.String({ description: 'What it means.' }),
        when: Type.String({ description: 'When it is sent.' }),
        example: Event,
      }),
    ),
  },
  responseOptions('EventTypeList', 'Every type of event.'),
);

const endpointMembers = {
  endpointId: Uuid('The endpoint.'),
  url: Type.String(),
  description: Type.String(),
  eventTypes: Type.Union([Type.Array(Type.Enum(types)), Type.Null()], { description: chosenTypes }),
  state: Type.Enum([...endpointStates], {
    description: 'Deliveries are attempted only while it is `active`.',
  }),
  stateReason: Type.Union([Type.Enum([...endpointStateReasons]), Type.Null()], {
    description:
      'Why it is not active: `by_hand` (paused manually), `failing` (every attempt failed for 5 days), `gone` (it returned 410).',
  }),
  stateSince: Instant('Since when it is in this state.'),
  failingSince: Type.Union([Instant('The first failure since the last success.'), Type.Null()]),
  missed: Type.Integer({
    minimum: 0,
    description:
      'Events that it missed and that can still be replayed: since it was paused, or skipped when it was resumed. ' +
      `Only the first ${portalLimits.missedCountedAtMost.toLocaleString('en')} are counted; the number is then at least 1.`,
  }),
  retrying: Type.Integer({
    minimum: 0,
    description: `Deliveries that failed and are attempted again; counted up to ${portalLimits.failedCountedAtMost.toLocaleString('en')}.`,
  }),
  exhausted: Type.Integer({
    minimum: 0,
    description: `Deliveries that were given up; counted up to ${portalLimits.failedCountedAtMost.toLocaleString('en')}.`,
  }),
  previousSecretUntil: Type.Union([
    Instant('When the previous secret stops signing.'),
    Type.Null(),
  ]),
  createdAt: Instant('When it was added.'),
  updatedAt: Instant('When it was last changed.'),
};

export const Endpoint = Type.Object(
  endpointMembers,
  responseOptions('Endpoint', 'Where events are sent.'),
);
export type Endpoint = Type.Static<typeof Endpoint>;

const secret = Type.String({
  pattern: '^whsec_',
  description: 'The secret that signs deliveries: `whsec_` and 32 bytes in base64.',
});

export const AddedEndpoint = Type.Object(
  { ...endpointMembers, secret },
  responseOptions('AddedEndpoint', 'The new endpoint, with its secret.'),
);

export const EndpointList = Type.Object(
  { items: Type.Array(Endpoint) },
  responseOptions('EndpointList', 'Every endpoint, oldest first.'),
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
    'An object without members. It proves that no HTML form of another site sent the call.',
  ),
);

export const ResumeEndpoint = Type.Object(
  {
    missed: Type.Enum(['replay', 'skip'], {
      description:
        '`replay`: sends the missed events now, in order, as far as the feed still has them. `skip`: skips them; they can be replayed later.',
    }),
  },
  requestOptions('ResumeEndpoint', 'What to do with the missed events.'),
);

export const Secrets = Type.Object(
  {
    secret,
    previous: Type.Union([
      Type.Object({ secret, expiresAt: Instant('When it stops signing.') }),
      Type.Null(),
    ]),
  },
  responseOptions('Secrets', 'The secret, and the previous one while it still signs.'),
);

export const SendTest = Type.Object(
  { type: EventTypeName('The type of the test event.') },
  requestOptions('SendTest', 'A test event.'),
);

export const ReplayMany = Type.Object(
  {
    what: Type.Enum(['failed', 'missed'], {
      description: `\`failed\`: deliveries whose last attempt was at or after \`since\` and failed, given up or not, at most ${portalLimits.replayedAtOnce.toLocaleString('en')} in one call. \`missed\`: events that were skipped when the endpoint was resumed.`,
    }),
    since: Type.Optional(
      InstantInput('Only with `failed`, where it is required: the earliest instant.'),
    ),
  },
  requestOptions('ReplayMany', 'What to send again.'),
);

export const Replayed = Type.Object(
  { replayed: Type.Integer({ minimum: 0, description: 'The number of deliveries.' }) },
  responseOptions('Replayed', 'The number of deliveries that are sent again.'),
);

export const FailedQuery = Type.Object(
  { since: InstantInput('The earliest instant of the last attempt.') },
  { additionalProperties: false },
);

export const FailedDeliveries = Type.Object(
  {
    replayable: Type.Integer({
      minimum: 0,
      maximum: portalLimits.replayedAtOnce,
      description: 'The number of deliveries that a replay of `failed` sends again now.',
    }),
    hasMore: Type.Boolean({ description: 'Whether others are left for another call.' }),
  },
  responseOptions('FailedDeliveries', 'What a replay of failed deliveries would send again.'),
);

const EventId = (description: string) =>
  Type.String({ pattern: '^evt_[0-9a-f]{32}$', maxLength: 36, description });

const deliveryMembers = {
  deliveryId: Uuid('The delivery.'),
  endpointId: Uuid('The endpoint.'),
  eventId: EventId('The event, as in the feed and in `webhook-id`.'),
  type: Type.Enum(types),
  sequence: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
    description: 'The `sequence` of the event; null: a test event.',
  }),
  test: Type.Boolean(),
  state: Type.Enum([...deliveryStates], {
    description:
      '`pending`: it will be attempted. `retrying`: an attempt failed, and it will be attempted again. `delivered`: the endpoint returned a 2xx. `exhausted`: all attempts failed.',
  }),
  attempts: Type.Integer({
    minimum: 0,
    description: 'Attempts since it was created or last replayed.',
  }),
  nextAttemptAt: Type.Union([Instant('The earliest time of the next attempt.'), Type.Null()]),
  lastAttemptAt: Type.Union([Instant('When it was last attempted.'), Type.Null()]),
  lastStatus: Type.Union([Type.Integer(), Type.Null()], {
    description: 'The status of the last response.',
  }),
  lastError: Type.Union([Type.Enum([...attemptErrors]), Type.Null()], {
    description: 'Why the last attempt failed.',
  }),
  createdAt: Instant('When it was created.'),
  deliveredAt: Type.Union([Instant('When it succeeded.'), Type.Null()]),
};

export const Delivery = Type.Object(
  deliveryMembers,
  responseOptions('Delivery', 'The delivery of one event to one endpoint.'),
);
export type Delivery = Type.Static<typeof Delivery>;

export const DeliveryQuery = Type.Object(
  {
    endpointId: Type.Optional(UuidInput('Only deliveries to this endpoint.')),
    eventId: Type.Optional(EventId('Only deliveries of this event.')),
    state: Type.Optional(
      Type.Enum([...deliveryStates], { description: 'Only deliveries in this state.' }),
    ),
    type: Type.Optional(EventTypeName('Only events of this type.')),
    ...paged,
  },
  { additionalProperties: false },
);

export const DeliveryPage = Type.Object(
  { items: Type.Array(Delivery), nextCursor: NextCursor },
  responseOptions('DeliveryPage', 'Deliveries, newest first.'),
);

const Attempt = Type.Object(
  {
    number: Type.Integer({ minimum: 1 }),
    startedAt: Instant('When it began.'),
    durationMs: Type.Integer({ minimum: 0 }),
    status: Type.Union([Type.Integer(), Type.Null()], { description: 'Null: no response.' }),
    error: Type.Union([Type.Enum([...attemptErrors]), Type.Null()], {
      description: 'Null: it succeeded.',
    }),
    response: Type.Union([Type.String(), Type.Null()], {
      description: 'The first 2 KB of the response.',
    }),
  },
  responseOptions('Attempt', 'One attempt to deliver.'),
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
  responseOptions('SentEvent', 'The event as it is sent.'),
);

const SentRequest = Type.Object(
  {
    headers: Type.Object({
      'webhook-id': Type.String(),
      'webhook-timestamp': Type.String(),
      'webhook-signature': Type.String(),
    }),
    body: Type.String({ description: 'The exact bytes that were sent.' }),
  },
  responseOptions(
    'SentRequest',
    'The last attempt, signed for its time with the current secrets. Use it to test your verification.',
  ),
);

export const DeliveryInFull = Type.Object(
  {
    ...deliveryMembers,
    attemptsMade: Type.Array(Attempt, { description: 'All attempts, oldest first.' }),
    event: Type.Union([SentEvent, Type.Null()], {
      description: 'Null: the event is no longer in the feed.',
    }),
    lastRequest: Type.Union([SentRequest, Type.Null()], {
      description: 'Null: no attempt yet.',
    }),
  },
  responseOptions('DeliveryInFull', 'A delivery with its attempts.'),
);

export const FeedQuery = Type.Object(
  { type: Type.Optional(EventTypeName('Only events of this type.')), ...paged },
  { additionalProperties: false },
);

export const NewestEvents = Type.Object(
  { items: Type.Array(Event), nextCursor: NextCursor },
  responseOptions('NewestEvents', 'Events, newest first, for the last 30 days.'),
);

export const EventPath = Type.Object({ eventId: EventId('The event.') });

const id = '[^,]{1,100}';

export const RequestQuery = Type.Object(
  {
    about: Type.Optional(
      Type.String({
        pattern: `^${id}(,${id}){0,${portalLimits.aboutAtOnce - 1}}$`,
        description: `Only calls about these checkouts, reservation requests, quotes or reservations: up to ${portalLimits.aboutAtOnce} IDs or references, separated by commas.`,
      }),
    ),
    method: Type.Optional(Type.Enum([...loggedMethods], { description: 'Only this method.' })),
    status: Type.Optional(
      Type.String({
        pattern: '^[1-5]([0-9]{2}|xx)$',
        description: 'Only this status (`404`) or class (`4xx`).',
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

const loggedMembers = {
  requestId: Uuid('The `x-request-id` of the response.'),
  at: Instant('When the call arrived.'),
  method: Type.String(),
  path: Type.String({
    description:
      'The path without the query. Valid IDs are shown; other values in the place of an ID appear as `{name}`, unknown parts of a path as `{unknown}`.',
  }),
  operation: Type.Union([Type.String(), Type.Null()], {
    description: 'Null: there is no such path, or not with this method.',
  }),
  status: Type.Integer(),
  code: Type.Union([Type.String(), Type.Null()], { description: 'The code of an error.' }),
  reason: Type.Union([Type.String(), Type.Null()], {
    description: 'The `details.reason` of an error.',
  }),
  durationMs: Type.Integer({ minimum: 0 }),
};

export const LoggedRequest = Type.Object(
  loggedMembers,
  responseOptions('LoggedRequest', 'A call of your application.'),
);

export const RequestPath = Type.Object({
  requestId: UuidInput('The `x-request-id` of the response.'),
});

export const LoggedRequestInFull = Type.Object(
  {
    ...loggedMembers,
    message: Type.Union([Type.String(), Type.Null()], {
      description: 'The meaning of the code and reason.',
    }),
    invalidFields: Type.Array(
      Type.Object({
        path: Type.String({
          description:
            'Where: a JSON Pointer into the body, or `query/…`, `path/…`, `header/…`. Names that the operation does not know appear as `{unknown}`.',
        }),
        message: Type.String({ description: 'What is wrong there.' }),
      }),
      {
        description: `The fields that were not valid, at most ${portalLimits.invalidFields}; never their values.`,
      },
    ),
    about: Type.Union([Type.String(), Type.Null()], {
      description: 'The checkout, reservation request, quote or reservation that it is about.',
    }),
  },
  responseOptions('LoggedRequestInFull', 'A call with everything that is kept of it.'),
);

export const RequestPage = Type.Object(
  {
    items: Type.Array(LoggedRequest),
    nextCursor: Type.Union([Cursor, Type.Null()], {
      description:
        'Null: no more items. With filters, a page can have fewer items than `limit`, even none, and still be followed by others.',
    }),
  },
  responseOptions('RequestPage', 'Calls, newest first.'),
);

const named = Type.Union([Type.String(), Type.Null()], {
  description: 'Null: the home no longer exists.',
});

const bookingKinds = ['checkout', 'request'] as const;

const BookingKind = Type.Enum([...bookingKinds], {
  description: '`request`: a reservation request.',
});

const orNull = <Schema extends Type.TSchema>(schema: Schema, description: string) =>
  Type.Union([schema, Type.Null()], { description });

const bookingMembers = {
  kind: BookingKind,
  bookingId: Uuid('The checkout or reservation request.'),
  quoteId: Uuid('Its quote.'),
  state: Type.String({ description: 'The state of the checkout or reservation request.' }),
  version: Type.Integer({ minimum: 1 }),
  failure: orNull(Type.String(), 'Why it failed.'),
  partnerReference: orNull(Type.String(), 'The reference that you gave it.'),
  promotionCode: orNull(Type.String(), 'The promotion that is applied.'),
  reference: orNull(Type.String(), 'The reservation; null: there is none.'),
  reservationState: orNull(
    Type.Enum([...reservationStates]),
    'The state of the reservation; null: there is none.',
  ),
  listing: Type.Object({ listingId: Uuid('The home.'), slug: named, name: named }),
  checkIn: Type.String({ format: 'date' }),
  checkOut: Type.String({ format: 'date' }),
  party: Party,
  currency: Type.String(),
  total: Type.Integer({ description: 'In minor units.' }),
  createdAt: Instant('When it was created.'),
  submittedAt: orNull(Type.String({ format: 'date-time' }), 'When it was submitted.'),
  resolvedAt: orNull(Type.String({ format: 'date-time' }), 'When its outcome was known.'),
};

const Booking = Type.Object(
  bookingMembers,
  responseOptions('PortalBooking', 'A checkout or reservation request, without its guest.'),
);

export const BookingQuery = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: limits.partnerReferenceLength,
      description:
        'The reference of a reservation, your `partnerReference`, or the ID of a checkout or reservation request.',
    }),
  },
  { additionalProperties: false },
);

export const BookingList = Type.Object(
  { items: Type.Array(Booking) },
  responseOptions('PortalBookingList', 'The bookings that have this name; none: unknown.'),
);

export const BookingPath = Type.Object({
  kind: BookingKind,
  bookingId: UuidInput('The checkout or reservation request.'),
});

const TimelineItem = Type.Object(
  {
    at: Type.String({ format: 'date-time' }),
    what: Type.String({
      description: 'For example `quote.created`, `command`, `event`, `delivery`.',
    }),
  },
  {
    $id: 'TimelineItem',
    description: 'Something that happened. Further members depend on `what`.',
    additionalProperties: true,
  },
);

export const BookingFile = Type.Object(
  {
    ...bookingMembers,
    timeline: Type.Array(TimelineItem, {
      description:
        'What is still known, oldest first: commands of 7 days, events and deliveries of 30.',
    }),
  },
  responseOptions('PortalBookingFile', 'A booking and everything that happened to it.'),
);

export const ReservationPath = Type.Object({
  reference: Type.String({ minLength: 1, maxLength: 100, description: 'The reservation.' }),
});

export const SimulatedChange = Type.Object(
  {
    change: Type.Enum(['cancelled', 'moved_one_day'], {
      description:
        '`cancelled`: cancels the reservation. `moved_one_day`: moves the stay one day later.',
    }),
  },
  requestOptions('SimulatedChange', 'What the reservations team of the simulation does now.'),
);

export const SimulatedReservation = Type.Object(
  {
    reference: Type.String(),
    state: Type.Enum([...reservationStates]),
    checkIn: Type.String({ format: 'date' }),
    checkOut: Type.String({ format: 'date' }),
  },
  responseOptions('SimulatedReservation', 'The reservation after the change.'),
);

const QuotaUse = Type.Object(
  {
    tier: Type.Enum([...tiers]),
    limit: Type.Integer({ description: 'Calls per minute that your application has.' }),
    perMinute: Type.Integer({
      description: 'Calls per minute that are counted here: the limit, or the share of a process.',
    }),
    available: Type.Integer({ minimum: 0, description: 'Calls that can be made now.' }),
    fullInSeconds: Type.Integer({ minimum: 0, description: 'When all can be made again.' }),
  },
  responseOptions('PortalQuotaUse', 'The use of a quota. Used calls come back continuously.'),
);

export const Quotas = Type.Object(
  {
    tiers: Type.Array(QuotaUse),
    exact: Type.Boolean({
      description:
        'True: `available` counts all calls. False: several processes serve calls and cannot share their counts now. Each gives its share of the limit, and the figures are those of the process that responded.',
    }),
    reservationsPerDay: Type.Union(
      [
        Type.Object({
          limit: Type.Integer({ minimum: 0 }),
          used: Type.Integer({ minimum: 0, description: 'Of today, in UTC.' }),
        }),
        Type.Null(),
      ],
      { description: 'Null: there is no daily limit.' },
    ),
  },
  responseOptions('PortalQuotas', 'The quotas of your application, and how much is used.'),
);

export const Key = Type.Object(
  {
    keyId: Type.String(),
    state: Type.Enum(['active', 'expired', 'revoked']),
    createdAt: Instant('When it was issued.'),
    expiresAt: Instant('When it ends.'),
    revokedAt: orNull(Type.String({ format: 'date-time' }), 'When it was revoked.'),
    lastUsedAt: orNull(
      Type.String({ format: 'date-time' }),
      'When it last got a token, to the minute.',
    ),
  },
  responseOptions('PortalKey', 'A key, without its secret.'),
);

export const KeyList = Type.Object(
  {
    items: Type.Array(Key),
    mayChange: Type.Boolean({
      description: 'Whether the operator lets you issue and revoke keys here.',
    }),
  },
  responseOptions('PortalKeyList', 'Every key, oldest first.'),
);

export const IssueKey = Type.Object(
  {
    expiresInDays: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: operatorLimits.keyDays.max,
        description: 'Its lifetime in days; 365 if absent.',
      }),
    ),
  },
  requestOptions('IssueKeyInPortal', 'How long the key is valid.'),
);

export const IssuedKey = Type.Object(
  {
    keyId: Type.String(),
    applicationKey: Type.String({ description: 'Shown once: store it on a server.' }),
    expiresAt: Instant('When it ends.'),
  },
  responseOptions('IssuedPortalKey', 'The new key. Only this response contains it.'),
);

export const KeyPath = Type.Object({
  keyId: Type.String({ minLength: 1, maxLength: 100, description: 'The key, by its ID.' }),
});

export const RevokeKey = Type.Object(
  {
    lastToo: Type.Optional(
      Type.Boolean({
        description: 'Also revokes the last usable key: your program then gets no more tokens.',
      }),
    ),
  },
  requestOptions('RevokeKeyInPortal', 'A confirmation for the last usable key.'),
);
