import * as Type from '../type.ts';
import { NextCursor, pageMembers } from '../partner/schemas/primitives.ts';
import { limits } from '../limits.ts';
import { profiles, saidEndings, scenarioIds, taskKinds } from './scenarios.ts';

const ScenarioName = Type.Enum([...scenarioIds], {
  $id: 'ScenarioName',
  description: 'A scenario.',
});

const ProfileName = Type.Enum([...profiles], {
  $id: 'Profile',
  description:
    '`checkout`: partner-settled checkouts. `card`: checkouts that are paid by card. `request`: reservation requests.',
});

export const StartRun = Type.RequestObject('StartRun', 'A run to begin.', {
  profile: ProfileName,
  only: Type.Optional(
    Type.Array(ScenarioName, {
      minItems: 1,
      uniqueItems: true,
      description: 'Only these scenarios; the others are skipped.',
    }),
  ),
  seed: Type.Optional(
    Type.WholeFrom(0, 2 ** 31 - 1, 'Chooses homes and stays in the same way again.'),
  ),
});

const text = (description: string) => Type.GivenText(100, description);

const KnownReservation = Type.RequestObject(
  'KnownReservation',
  'A reservation as the program knows it.',
  {
    state: Type.String({ maxLength: 40 }),
    checkIn: Type.String({ maxLength: 10 }),
    checkOut: Type.String({ maxLength: 10 }),
  },
);

const Outcome = Type.RequestObject('Outcome', 'What the program says.', {
  ended: Type.Enum([...saidEndings], { description: 'How the task ended.' }),
  ...Type.AllOptional({
    reference: text('Of `confirmed`: as the guest is told.'),
    total: Type.Whole('Of `confirmed`, in minor units.'),
    currency: text('Of `confirmed`.'),
    listings: Type.Array(text('A `listingId`.'), {
      maxItems: 10_000,
      description: 'The homes found.',
    }),
    deprecated: Type.Array(text('An `operationId`.'), {
      maxItems: 100,
      description: 'Of `read`: the operations whose responses had the header `Deprecation`.',
    }),
    events: Type.Array(text('An event ID.'), {
      maxItems: 1_000,
      description: 'Each event as often as it was acted on.',
    }),
    reservations: Type.Record(Type.String({ maxLength: 100 }), KnownReservation, {
      maxProperties: 100,
      description: 'By reference.',
    }),
  }),
});
export type Outcome = Type.Static<typeof Outcome>;

export const FinishScenario = Type.RequestObject('FinishScenario', 'The outcome of the task.', {
  outcome: Outcome,
});

const Finding = Type.ResponseObject('Finding', 'A rule that was not kept.', {
  message: Type.Text('What was seen.'),
  rule: Type.Text('The rule of the scenario that it breaks.'),
  requestIds: Type.Array(Type.Uuid('The `x-request-id` of a call.')),
});

const Party = Type.Object({ adults: Type.Whole('Nobody else travels.') });

const inputs = {
  read: Type.Object({ calls: Type.Whole('So many reads of the site at once.') }),
  sync: Type.Object({}),
  search: Type.Object({
    checkIn: Type.CalendarDate('Arrival.'),
    checkOut: Type.CalendarDate('Departure.'),
    party: Party,
  }),
  book: Type.Object({
    listingId: Type.Uuid('The home.'),
    checkIn: Type.CalendarDate('Arrival.'),
    checkOut: Type.CalendarDate('Departure.'),
    party: Party,
    guest: Type.Object({
      firstName: Type.String(),
      lastName: Type.String(),
      email: Type.String(),
      phone: Type.String(),
    }),
    partnerReference: Type.String(),
    maxTotal: Type.Object(
      { amount: Type.Integer(), currency: Type.String() },
      { description: 'What the guest agrees to, in minor units.' },
    ),
  }),
  follow: Type.Object({
    cursor: Type.Text('Where the feed begins.'),
    seconds: Type.Whole('For so long.'),
    references: Type.Array(Type.String(), { description: 'The reservations to know.' }),
  }),
} as const;

const Task = Type.ResponseObject('Task', 'What the program has to do by its ordinary means.', {
  kind: Type.Enum([...taskKinds]),
  input: Type.Union([inputs.book, inputs.follow, inputs.search, inputs.read, inputs.sync], {
    description: 'By `kind`.',
  }),
  sayWithinSeconds: Type.Whole('The outcome is said by then.'),
});
export type Task = Type.Static<typeof Task>;
/** The input of a task that books. */
export type BookInput = Type.Static<(typeof inputs)['book']>;

export const Scenario = Type.ResponseObject('Scenario', 'A scenario of a run.', {
  scenario: ScenarioName,
  level: Type.Enum(['must', 'should']),
  title: Type.Text('What happens.'),
  rules: Type.Array(Type.String(), { description: 'What a correct program does.' }),
  limitSeconds: Type.Whole('If not finished by then: `nothing`.'),
  state: Type.Enum(['waiting', 'running', 'judged', 'skipped']),
  result: Type.Nullable(
    Type.Enum(['passed', 'failed', 'warned', 'skipped'], {
      description: '`warned`: a should that is not met.',
    }),
  ),
  skippedFor: Type.Optional(
    Type.Enum(['profile', 'grant', 'no_endpoint', 'not_asked', 'not_started']),
  ),
  attempts: Type.Whole('How often it was started.'),
  findings: Type.Array(Finding),
  requestIds: Type.Array(Type.Uuid('A judged call.'), {
    description: 'In order, at most 200. While it runs: those until now.',
  }),
  startedAt: Type.Nullable(Type.Instant('The last start.')),
  finishedAt: Type.Nullable(Type.Instant('When it was judged.')),
  task: Type.Optional(Task),
  expects: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'While it runs: what the judge waits for next, by the calls until now. For people; programs read `rules`.',
    }),
  ),
});
export type Scenario = Type.Static<typeof Scenario>;

export const Run = Type.ResponseObject('ConformanceRun', 'A run of scenarios.', {
  runId: Type.Uuid('The run.'),
  profile: ProfileName,
  wireVersion: Type.Text('The wire version that was judged.'),
  scenarioSet: Type.Whole('Rises with each change of the scenarios.'),
  contractDigest: Type.Text('`sha256:` and the digest of `/openapi.json`.'),
  seed: Type.Integer(),
  state: Type.Enum(['open', 'passed', 'failed', 'incomplete', 'abandoned'], {
    description:
      '`passed`: every must has passed, or does not apply. `failed`: a must has failed. `incomplete`: otherwise.',
  }),
  startedAt: Type.Instant('When it was begun.'),
  finishedAt: Type.Nullable(Type.Instant('When it ended.')),
  scenarios: Type.Array(Scenario),
});
export type Run = Type.Static<typeof Run>;

export const RunPage = Type.ResponseObject('ConformanceRunPage', 'Runs, newest first.', {
  items: Type.Array(Run),
  nextCursor: NextCursor,
});

export const RunQuery = Type.RequestObject(pageMembers(limits.pageSize));

export const Report = Type.Text(
  'A compact JWS (`typ` `conformance-report+jwt`, EdDSA, signed by a key of `/.well-known/jwks.json`): `{ iss, sub, iat, run }`.',
);
