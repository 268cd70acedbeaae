import * as Type from '../../type.ts';
import { EventTypeName, SentEventType } from '../../partner/schemas/event.ts';
import { patterns } from '../../patterns.ts';
import { portalLimits } from '../limits.ts';
import { SomeEventTypes } from './shared.ts';

export const EndpointState = Type.OpenEnum(
  ['active', 'paused', 'disabled'],
  'EndpointState',
  'Deliveries are attempted only while it is `active`.',
);

export const EndpointStateReason = Type.OpenEnum(
  ['by_hand', 'failing', 'gone'],
  'EndpointStateReason',
  'Why an endpoint is not active: `by_hand` (paused manually), `failing` (every attempt failed for 5 days), `gone` (it returned 410).',
);

const EndpointUrl = Type.GivenText(
  portalLimits.urlLength,
  'Where events are sent, by HTTPS. If the simulation listens only on loopback, also plain HTTP to loopback. The host name is resolved at every attempt; addresses that are not public are refused.',
);

const Description = Type.String({
  maxLength: portalLimits.descriptionLength,
  pattern: patterns.lineOrEmpty.pattern,
  description: 'Your own note about the endpoint. One line.',
});

const chosenTypes = 'The event types that are sent; null: all types, including future ones.';

const endpointMembers = {
  endpointId: Type.Uuid('The endpoint.'),
  url: Type.String(),
  description: Type.String(),
  eventTypes: Type.Nullable(Type.Array(SentEventType), chosenTypes),
  state: EndpointState,
  stateReason: Type.Nullable(EndpointStateReason, 'Why it is not active.'),
  stateSince: Type.Instant('Since when it is in this state.'),
  failingSince: Type.Nullable(Type.Instant('The first failure since the last success.')),
  missed: Type.AtLeast(
    0,
    'Events that it missed and that can still be replayed: since it was paused, or skipped when it was resumed. ' +
      `Only the first ${portalLimits.missedCountedAtMost.toLocaleString('en')} are counted; the number is then at least 1.`,
  ),
  retrying: Type.AtLeast(
    0,
    `Deliveries that failed and are attempted again; counted up to ${portalLimits.failedCountedAtMost.toLocaleString('en')}.`,
  ),
  exhausted: Type.AtLeast(
    0,
    `Deliveries that were given up; counted up to ${portalLimits.failedCountedAtMost.toLocaleString('en')}.`,
  ),
  previousSecretUntil: Type.Nullable(Type.Instant('When the previous secret stops signing.')),
  createdAt: Type.Instant('When it was added.'),
  updatedAt: Type.Instant('When it was last changed.'),
};

export const Endpoint = Type.ResponseObject('Endpoint', 'Where events are sent.', endpointMembers);
export type Endpoint = Type.Static<typeof Endpoint>;

const secret = Type.String({
  pattern: '^whsec_',
  description: 'The secret that signs deliveries: `whsec_` and 32 bytes in base64.',
});

export const AddedEndpoint = Type.ResponseObject(
  'AddedEndpoint',
  'The new endpoint, with its secret.',
  {
    ...endpointMembers,
    secret,
  },
);

export const EndpointList = Type.ListOf(Endpoint, 'EndpointList', 'Every endpoint, oldest first.');

export const AddEndpoint = Type.RequestObject('AddEndpoint', 'An endpoint to add.', {
  url: EndpointUrl,
  description: Type.Optional(Description),
  eventTypes: Type.Optional(Type.Nullable(SomeEventTypes)),
});

export const ChangeEndpoint = Type.RequestObject(
  'ChangeEndpoint',
  'The members to change; absent members stay as they are.',
  {
    url: Type.Optional(EndpointUrl),
    description: Type.Optional(Description),
    eventTypes: Type.Optional(Type.Nullable(SomeEventTypes)),
  },
);

export const ResumeEndpoint = Type.RequestObject(
  'ResumeEndpoint',
  'What to do with the missed events.',
  {
    missed: Type.Enum(['replay', 'skip'], {
      description:
        '`replay`: sends the missed events now, in order, as far as the feed still has them. `skip`: skips them; they can be replayed later.',
    }),
  },
);

export const Secrets = Type.ResponseObject(
  'Secrets',
  'The secret, and the previous one while it still signs.',
  {
    secret,
    previous: Type.Nullable(
      Type.ResponseObject('PreviousSecret', 'The secret before the last rotation.', {
        secret,
        expiresAt: Type.Instant('When it stops signing.'),
      }),
    ),
  },
);

export const SendTest = Type.RequestObject('SendTest', 'A test event.', {
  type: Type.Described(EventTypeName, 'The type of the test event.'),
});

export const ReplayMany = Type.RequestObject('ReplayMany', 'What to send again.', {
  what: Type.Enum(['failed', 'missed'], {
    description: `\`failed\`: deliveries whose last attempt was at or after \`since\` and failed, given up or not, at most ${portalLimits.replayedAtOnce.toLocaleString('en')} in one call. \`missed\`: events that were skipped when the endpoint was resumed.`,
  }),
  since: Type.Optional(
    Type.InstantInput('Only with `failed`, where it is required: the earliest instant.'),
  ),
});

export const Replayed = Type.ResponseObject(
  'Replayed',
  'The number of deliveries that are sent again.',
  { replayed: Type.AtLeast(0, 'The number of deliveries.') },
);

export const FailedQuery = Type.RequestObject({
  since: Type.InstantInput('The earliest instant of the last attempt.'),
});

export const FailedDeliveries = Type.ResponseObject(
  'FailedDeliveries',
  'What a replay of failed deliveries would send again.',
  {
    replayable: Type.WholeFrom(
      0,
      portalLimits.replayedAtOnce,
      'The number of deliveries that a replay of `failed` sends again now.',
    ),
    hasMore: Type.Flag('Whether others are left for another call.'),
  },
);
