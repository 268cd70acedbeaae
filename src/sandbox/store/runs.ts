import type { Profile } from '../../contract/sandbox/scenarios.ts';
import type { Run } from '../../contract/sandbox/conformance.ts';
import type { EpochMs } from '../../contract/time.ts';
import type { Executor, Statement } from '../../platform/postgres/database.ts';

/** A run without its scenarios. */
export interface StoredRun {
  runId: string;
  applicationId: string;
  profile: Profile;
  wireVersion: string;
  scenarioSet: number;
  contractDigest: string;
  seed: number;
  state: Run['state'];
  startedAt: EpochMs;
  finishedAt: EpochMs | null;
}

const columns = `run_id AS "runId", application_id AS "applicationId", profile,
      wire_version AS "wireVersion", scenario_set AS "scenarioSet",
      contract_digest AS "contractDigest", seed, state, started_at AS "startedAt",
      finished_at AS "finishedAt"`;

/** A run to begin. */
export type NewRun = Omit<StoredRun, 'runId' | 'state' | 'startedAt' | 'finishedAt'>;

const insertStatement: Statement = {
  name: 'insert-conformance-run',
  text: `INSERT INTO conformance_runs (application_id, profile, wire_version, scenario_set,
      contract_digest, seed, started_at)
    VALUES ($1, $2, $3, $4, $5, $6, now())
    ON CONFLICT DO NOTHING RETURNING ${columns}`,
};

/** Begins a run. Undefined: another one of the application is open. */
export async function insertRun(executor: Executor, run: NewRun): Promise<StoredRun | undefined> {
  const { applicationId, profile, wireVersion, scenarioSet, contractDigest, seed } = run;
  const values = [applicationId, profile, wireVersion, scenarioSet, contractDigest, seed];
  const [row] = await executor.query<StoredRun>(insertStatement, values);
  return row;
}

const openStatement: Statement = {
  name: 'find-open-conformance-run',
  text: `SELECT ${columns} FROM conformance_runs WHERE application_id = $1 AND state = 'open'`,
};

/** Finds the open run of an application. */
export async function findOpenRun(
  executor: Executor,
  applicationId: string,
): Promise<StoredRun | undefined> {
  return (await executor.query<StoredRun>(openStatement, [applicationId]))[0];
}

const findStatement: Statement = {
  name: 'find-conformance-run',
  text: `SELECT ${columns} FROM (SELECT * FROM conformance_runs WHERE run_id = $2 OFFSET 0) found
    WHERE application_id = $1`,
};

/** Finds a run of an application. */
export async function findRun(
  executor: Executor,
  applicationId: string,
  runId: string,
): Promise<StoredRun | undefined> {
  return (await executor.query<StoredRun>(findStatement, [applicationId, runId]))[0];
}

const listStatement: Statement = {
  name: 'list-conformance-runs',
  text: `SELECT ${columns} FROM conformance_runs WHERE application_id = $1 AND run_id < $2
    ORDER BY run_id DESC LIMIT $3`,
};

/** Lists the runs of an application before one, newest first. */
export const listStoredRuns = (
  executor: Executor,
  applicationId: string,
  before: string,
  atMost: number,
): Promise<StoredRun[]> =>
  executor.query<StoredRun>(listStatement, [applicationId, before, atMost]);

const endStatement: Statement = {
  name: 'end-conformance-run',
  text: `UPDATE conformance_runs SET state = $2, finished_at = now()
    WHERE run_id = $1 AND state = 'open' RETURNING run_id`,
};

/** Ends an open run. False: it had ended before. */
export async function endRun(
  executor: Executor,
  runId: string,
  state: Exclude<Run['state'], 'open'>,
): Promise<boolean> {
  return (await executor.query(endStatement, [runId, state])).length === 1;
}

const trimStatement: Statement = {
  name: 'trim-conformance-runs',
  text: `DELETE FROM conformance_runs WHERE run_id = ANY (ARRAY(
      SELECT run_id FROM conformance_runs WHERE application_id = $1 AND state <> 'open'
      ORDER BY run_id DESC OFFSET $2))`,
};

/** Removes the oldest runs of an application above a number. */
export async function trimRuns(
  executor: Executor,
  applicationId: string,
  kept: number,
): Promise<void> {
  await executor.query(trimStatement, [applicationId, kept]);
}
