import type { Scenario, Task } from '../../contract/sandbox/conformance.ts';
import type { Effects } from '../../contract/sandbox/effects.ts';
import type { ScenarioId } from '../../contract/sandbox/scenarios.ts';
import { type EpochMs, instant } from '../../contract/time.ts';
import { columnsOf } from '../../platform/postgres/columns.ts';
import type { Executor, Statement } from '../../platform/postgres/database.ts';
import { manyRows, noRows, oneRow, oneValue } from '../../platform/postgres/statement-functions.ts';
import { isTaken } from '../../platform/postgres/database-errors.ts';

/** What the judge has to know of the start of a scenario that plays events. */
export interface Setting {
  /** The reservations that the program has to know. */
  references: string[];
  /** The sequence of the last event before. */
  sequence: number;
}

/** A scenario of a run. */
export interface StoredScenario {
  runId: string;
  applicationId: string;
  scenario: ScenarioId;
  state: Scenario['state'];
  result: Scenario['result'];
  skippedFor: Scenario['skippedFor'] | null;
  attempts: number;
  findings: Scenario['findings'];
  requestIds: string[];
  startedAt: EpochMs | null;
  finishedAt: EpochMs | null;
  attemptId: string | null;
  task: Task | null;
  setting: Setting | null;
  /** Its time is over. */
  isLate: boolean;
  /** How long ago it was started; null: it was not. */
  sinceStartMs: number | null;
}

const columns = `run_id AS "runId", application_id AS "applicationId", scenario, state, result,
      skipped_for AS "skippedFor", attempts, findings, request_ids AS "requestIds",
      started_at AS "startedAt", finished_at AS "finishedAt", attempt_id AS "attemptId", task, setting,
      coalesce(state = 'running' AND ends_at <= now(), false) AS "isLate",
      (extract(epoch FROM now() - started_at) * 1000)::float8 AS "sinceStartMs"`;

/** A scenario to begin with; `skippedFor` null: it waits. */
export interface NewScenario {
  scenario: ScenarioId;
  skippedFor: string | null;
}

/** Writes the scenarios of a new run. */
export const insertScenarios = noRows<
  [of: { runId: string; applicationId: string }, scenarios: readonly NewScenario[]]
>({
  name: 'insert-conformance-scenarios',
  text: `INSERT INTO conformance_scenarios
      (run_id, application_id, scenario, place, state, result, skipped_for)
    SELECT $1, $2, scenario, ordinal, CASE WHEN reason IS NULL THEN 'waiting' ELSE 'skipped' END,
      CASE WHEN reason IS NOT NULL THEN 'skipped' END, reason
    FROM unnest($3::text[], $4::text[]) WITH ORDINALITY AS given (scenario, reason, ordinal)`,
  values: ({ runId, applicationId }, scenarios) => [
    runId,
    applicationId,
    ...columnsOf(scenarios, 'scenario', 'skippedFor'),
  ],
});

/** Reads the scenarios of runs, in their order. */
export const readScenarios = manyRows<[runIds: readonly string[]], StoredScenario>({
  name: 'read-conformance-scenarios',
  text: `SELECT ${columns} FROM conformance_scenarios WHERE run_id = ANY ($1::uuid[])
    ORDER BY run_id, place`,
});

/** Finds running scenarios whose time is over. */
export const findLateScenarios = manyRows<[atMost: number], StoredScenario>({
  name: 'find-late-scenarios',
  text: `SELECT ${columns} FROM conformance_scenarios WHERE state = 'running' AND ends_at <= now()
    LIMIT $1`,
});

/** A scenario whose attempt has ended. */
export type EndedScenario = Pick<StoredScenario, 'scenario' | 'attemptId' | 'applicationId'>;

/** An attempt at a scenario that begins now. */
export interface NewAttempt {
  attemptId: string;
  task: Task;
  setting: Setting | null;
  effects: Effects;
  limitSeconds: number;
  /** When its events are due, in seconds; null: it has none. */
  playsInSeconds: number | null;
}

const startStatement: Statement = {
  name: 'start-conformance-scenario',
  text: `UPDATE conformance_scenarios s SET state = 'running', result = NULL, findings = '[]',
      request_ids = '[]', attempts = attempts + 1, started_at = now(), finished_at = NULL,
      attempt_id = $3, ends_at = now() + make_interval(secs => $4), task = $5, setting = $6,
      effects = $7, submitted_at = NULL, provoked_at = NULL,
      plays_at = now() + make_interval(secs => $8)
    WHERE run_id = $1 AND scenario = $2 AND state IN ('waiting', 'judged') AND NOT EXISTS (
      SELECT FROM conformance_scenarios o
      WHERE o.application_id = s.application_id AND o.state = 'running')
      AND EXISTS (SELECT FROM conformance_runs r WHERE r.run_id = s.run_id AND r.state = 'open')
    RETURNING ${columns}`,
};

/** Starts a scenario. Undefined: another one runs, or it cannot be started. */
export async function startStoredScenario(
  executor: Executor,
  { runId, scenario }: Pick<StoredScenario, 'runId' | 'scenario'>,
  { attemptId, task, setting, effects, limitSeconds, playsInSeconds }: NewAttempt,
): Promise<StoredScenario | undefined> {
  const values = [
    runId,
    scenario,
    attemptId,
    limitSeconds,
    JSON.stringify(task),
    setting && JSON.stringify(setting),
    JSON.stringify(effects),
    playsInSeconds,
  ];
  try {
    const [row] = await executor.query<StoredScenario>(startStatement, values);
    return row;
  } catch (error) {
    // Another one was started at the same moment.
    if (isTaken(error, 'conformance_scenarios_running')) return undefined;
    throw error;
  }
}

/** Ends an attempt with its result; null: it was spoiled, and waits again. Undefined: it had ended. */
export const endAttempt = oneRow<
  [
    scenario: Pick<StoredScenario, 'attemptId' | 'runId'>,
    judged: Pick<StoredScenario, 'result' | 'findings' | 'requestIds'>,
  ],
  StoredScenario
>({
  name: 'judge-conformance-scenario',
  text: `UPDATE conformance_scenarios SET state = CASE WHEN $3::text IS NULL THEN 'waiting' ELSE 'judged' END,
      result = $3, findings = $4, request_ids = $5, effects = NULL, plays_at = NULL, finished_at = now()
    WHERE attempt_id = $1 AND run_id = $2 AND state = 'running' RETURNING ${columns}`,
  values: ({ attemptId, runId }, { result, findings, requestIds }) => [
    attemptId,
    runId,
    result,
    JSON.stringify(findings),
    JSON.stringify(requestIds),
  ],
});

const skipStatement: Statement = {
  name: 'skip-conformance-scenarios',
  text: `UPDATE conformance_scenarios SET state = 'skipped', result = 'skipped',
      skipped_for = 'not_started', effects = NULL, plays_at = NULL
    WHERE run_id = $1 AND state IN ('waiting', 'running')
    RETURNING old.state, scenario, attempt_id AS "attemptId", application_id AS "applicationId"`,
};

/** Skips what was not judged when a run ends. Returns the scenarios that were running. */
export async function skipRest(executor: Executor, runId: string): Promise<EndedScenario[]> {
  const skipped = await executor.query<EndedScenario & Pick<StoredScenario, 'state'>>(
    skipStatement,
    [runId],
  );
  return skipped.filter(({ state }) => state === 'running');
}

/**
 * Notes that something is played at a call, and returns the task. Undefined: it was played before, or its time is over.
 *
 * @param every it is played again and again
 * @param begins what the application meets from now on
 * @param afterSubmission only if the booking was submitted
 */
export const provoke = oneValue<
  [attemptId: string, played: { every: boolean; begins: Effects; afterSubmission: boolean }],
  Task
>({
  name: 'provoke-scenario',
  text: `UPDATE conformance_scenarios SET provoked_at = now(),
      effects = coalesce(effects, '{}') || $3::jsonb
    WHERE attempt_id = $1 AND state = 'running' AND ($2 OR provoked_at IS NULL)
      AND (NOT $4 OR submitted_at IS NOT NULL)
    RETURNING task`,
  values: (attemptId, { every, begins, afterSubmission }) => [
    attemptId,
    every,
    JSON.stringify(begins),
    afterSubmission,
  ],
});

/** Notes that the booking of a scenario was submitted. */
export const noteSubmission = noRows<[attemptId: string]>({
  name: 'note-submission',
  text: `UPDATE conformance_scenarios SET submitted_at = now()
    WHERE attempt_id = $1 AND state = 'running' AND submitted_at IS NULL`,
});

/** Takes the scenarios whose events are due now. */
export const takeDueScenarios = manyRows<[], StoredScenario>({
  name: 'take-due-scenarios',
  text: `UPDATE conformance_scenarios SET plays_at = NULL
    WHERE state = 'running' AND plays_at <= now() RETURNING ${columns}`,
});

/** Puts running scenarios back: the service was away meanwhile. */
export const resetScenarios = manyRows<[], EndedScenario>({
  name: 'reset-running-scenarios',
  text: `UPDATE conformance_scenarios SET state = 'waiting', effects = NULL, plays_at = NULL
    WHERE state = 'running' RETURNING scenario, attempt_id AS "attemptId", application_id AS "applicationId"`,
});

/** Takes the nights of a stay for one application alone, while a scenario runs. */
export const takeNights = noRows<
  [
    of: { applicationId: string; attemptId: string },
    stay: { listingId: string; checkIn: string; checkOut: string },
  ]
>({
  name: 'take-nights-for-scenario',
  text: `INSERT INTO sandbox_nights (application_id, attempt_id, listing_id, nights)
    VALUES ($1, $2, $3, daterange($4, $5)) ON CONFLICT DO NOTHING`,
  values: ({ applicationId, attemptId }, { listingId, checkIn, checkOut }) => [
    applicationId,
    attemptId,
    listingId,
    checkIn,
    checkOut,
  ],
});

/** Frees the nights that a scenario has taken. */
export const freeNights = noRows<[of: { applicationId: string; attemptId: string | null }]>({
  name: 'free-nights-of-scenario',
  text: 'DELETE FROM sandbox_nights WHERE application_id = $1 AND attempt_id = $2',
  values: ({ applicationId, attemptId }) => [applicationId, attemptId],
});

/** Lists the reservations of an application that were confirmed since an instant. */
export const listMade = manyRows<
  [applicationId: string, since: EpochMs],
  {
    reference: string;
    listingId: string;
    checkIn: string;
    checkOut: string;
    total: number;
    currency: string;
  }
>({
  name: 'list-reservations-made',
  text: `SELECT reference, listing_id AS "listingId", check_in AS "checkIn", check_out AS "checkOut",
      (charges ->> 'total')::integer AS total, charges ->> 'currency' AS currency
    FROM reservations WHERE application_id = $1 AND confirmed_at >= $2 ORDER BY confirmed_at
    LIMIT 100`,
  values: (applicationId, since) => [applicationId, instant(since)],
});
