import * as Type from '../type.ts';
import { limits } from '../limits.ts';
import { operations } from '../partner/operations.ts';
import { EventId } from '../portal/schemas/shared.ts';
import { pageMembers, PartyInput } from '../partner/schemas/primitives.ts';
import { patterns } from '../patterns.ts';
import { sandboxLimits } from './limits.ts';

const count = (description: string, most = 1_000_000_000) => Type.WholeFrom(1, most, description);

const FaultMatch = Type.RequestObject(
  'FaultMatch',
  'Which calls. All members that are present must hold.',
  {
    operation: Type.Enum(['token', ...Object.keys(operations)], {
      description: 'The `operationId` of the contract, or `token`.',
    }),
    nth: Type.Optional(count('Only this call of the operation, counted from 1 since the `PUT`.')),
    every: Type.Optional(count('Every so many calls of the operation.')),
    probability: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description: 'The share of calls, drawn by `seed`, the place of the rule and the count.',
      }),
    ),
  },
);

const retryAfterSeconds = Type.Optional(
  count('`Retry-After`; 2 if absent.', sandboxLimits.retryAfterSeconds),
);

const closed = { additionalProperties: false };

/** What happens to a call. */
const FaultAction = Type.Union(
  [
    Type.Object({ respond: Type.Enum([429, 500, 503]), retryAfterSeconds }, closed),
    Type.Object({ unresolved: Type.Enum(['applied', 'not_applied']) }, closed),
    Type.Object({ drop: Type.Enum(['before', 'after']) }, closed),
    Type.Object({ delayMs: Type.Integer({ minimum: 1, maximum: sandboxLimits.delayMs }) }, closed),
    Type.Object({ html: Type.Literal(502) }, closed),
    Type.Object({ unknownValues: Type.Literal(true) }, closed),
  ],
  {
    $id: 'FaultAction',
    description:
      '`respond`: this error, without effect. `unresolved`: 504, with or without the effect. `drop`: the connection ends before or after the effect. `delayMs`: the answer comes so much later. `html`: the page of a proxy, without effect. `unknownValues`: the answer has a member, a state, an action and an event type that do not exist.',
  },
);
export type FaultAction = Type.Static<typeof FaultAction>;

const ruleMembers = {
  match: FaultMatch,
  times: Type.Optional(count('The rule acts at most so often.')),
  do: FaultAction,
};

const seed = Type.WholeFrom(0, 2 ** 31 - 1, 'Makes `probability` repeatable.');

export const FaultRule = Type.RequestObject(
  'FaultRule',
  'A rule. The first rule of the list that holds acts.',
  ruleMembers,
);
export type FaultRule = Type.Static<typeof FaultRule>;

export const PutFaults = Type.RequestObject(
  'PutFaults',
  'The rules, in place of those before. Counts begin anew.',
  {
    seed: Type.Optional(seed),
    rules: Type.Array(FaultRule, { maxItems: sandboxLimits.rules }),
  },
);

export const Faults = Type.ResponseObject('Faults', 'The rules with their hits.', {
  seed: Type.Nullable(seed, 'Null: there are no rules.'),
  rules: Type.Array(
    Type.ResponseObject('PlayedRule', 'A rule with what it has done.', {
      ...ruleMembers,
      calls: Type.AtLeast(0, 'The calls of the operation since the `PUT`.'),
      hits: Type.Array(
        Type.ResponseObject('FaultHit', 'A call on which the rule acted.', {
          requestId: Type.Uuid('The `x-request-id` of the call.'),
          at: Type.Instant('When.'),
        }),
        { description: `The last ${sandboxLimits.hitsShown}, oldest first.` },
      ),
    }),
  ),
});

/** The members of `expire`: a call has exactly one. */
export const Expire = Type.RequestObject('Expire', 'What ends now: exactly one of the members.', {
  ...Type.AllOptional({
    token: Type.Literal(true, { description: 'All tokens of the application that exist now.' }),
    quoteId: Type.UuidInput('The quote.'),
    checkoutId: Type.UuidInput('The checkout whose session ends.'),
    feedBefore: Type.WholeFrom(1, 1_000_000_000, 'Events below this sequence are gone.'),
  }),
});

export const Act = Type.RequestObject('Act', 'What staff do with a reservation.', {
  act: Type.Enum(['cancel', 'change']),
  changes: Type.Optional(
    Type.RequestObject('ActChanges', 'What changes; what is absent stays.', {
      checkIn: Type.Optional(Type.CalendarDate('Arrival.')),
      checkOut: Type.Optional(Type.CalendarDate('Departure.')),
      party: Type.Optional(PartyInput),
      listingId: Type.Optional(Type.UuidInput('Another home of the catalog.')),
      total: Type.Optional(
        Type.WholeFrom(
          0,
          1_000_000_000,
          'The new total, in minor units. The difference is one line, and the last part of the schedule takes it.',
        ),
      ),
    }),
  ),
});

/** The outcomes that can be ordered: the suffixes of guests' emails, and `confirmed`. */
const orderedOutcomes = [
  'confirmed',
  'failed',
  'sold_out',
  'price_changed',
  'policy_changed',
  'authority_revoked',
  'quote_expired',
  'uncertain',
  'uncertain_confirmed',
  'uncertain_failed',
  'setup_unavailable',
  'setup_declined',
  'cancelled',
  'changed',
] as const;

const outcome = Type.Enum([...orderedOutcomes], {
  $id: 'OrderedOutcome',
  description:
    "The outcome of the next submitted checkout or reservation request; `setup_…`: of the next payment setup. The guest's email does not count then.",
});

const price = Type.WholeFrom(0, 1_000_000_000, 'The total that `price_changed` tells as `now`.');

export const OrderOutcome = Type.RequestObject(
  'OrderOutcome',
  'What the next booking of the application meets.',
  {
    outcome: Type.Optional(outcome),
    price: Type.Optional(price),
    occupy: Type.Optional(
      Type.Flag(
        'Whether confirmed bookings of the application take their nights from now on, for itself alone. Stays until it is set again.',
      ),
    ),
  },
);

export const OrderedOutcome = Type.ResponseObject('NextOutcome', 'What is set.', {
  outcome: Type.Nullable(outcome),
  price: Type.Nullable(price),
  occupy: Type.Boolean(),
});

export const Deliver = Type.RequestObject('Deliver', 'How the event is delivered once more.', {
  ...Type.AllOptional({
    copies: count('How often; 1 if absent.', sandboxLimits.copies),
    afterSeconds: Type.WholeFrom(0, sandboxLimits.afterSeconds, 'How late.'),
    badSignature: Type.Flag('Signed with another secret.'),
    timestampSkewSeconds: Type.WholeFrom(
      -sandboxLimits.skewSeconds,
      sandboxLimits.skewSeconds,
      'How much `webhook-timestamp` is ahead; below 0: behind.',
    ),
    before: EventId('An event that is delivered right after this one.'),
  }),
});

export const Ordered = Type.ResponseObject(
  'OrderedDeliveries',
  'The deliveries that were ordered.',
  {
    deliveries: Type.AtLeast(1, 'How many will be made.'),
  },
);

export const RequestQuery = Type.RequestObject({
  operation: Type.Optional(Type.GivenText(100, 'Only this operation.')),
  status: Type.Optional(
    Type.String({
      pattern: patterns.statusOrClass.pattern,
      description: 'Only this status (`404`) or class (`4xx`).',
    }),
  ),
  ...pageMembers(limits.pageSize),
});
