import type { Profile } from '../../contract/sandbox/scenarios.ts';
import type { Run } from '../../contract/sandbox/conformance.ts';
import type { EpochMs } from '../../contract/time.ts';
import { hasRow, manyRows, noRows, oneRow } from '../../platform/postgres/statement-functions.ts';

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

/** Begins a run. Undefined: another one of the application is open. */
export const insertRun = oneRow<[run: NewRun], StoredRun>({
  name: 'insert-conformance-run',
  text: `INSERT INTO conformance_runs (application_id, profile, wire_version, scenario_set,
      contract_digest, seed, started_at)
    VALUES ($1, $2, $3, $4, $5, $6, now())
    ON CONFLICT DO NOTHING RETURNING ${columns}`,
  values: ({ applicationId, profile, wireVersion, scenarioSet, contractDigest, seed }) => [
    applicationId,
    profile,
    wireVersion,
    scenarioSet,
    contractDigest,
    seed,
  ],
});

/** Finds the open run of an application. */
export const findOpenRun = oneRow<[applicationId: string], StoredRun>({
  name: 'find-open-conformance-run',
  text: `SELECT ${columns} FROM conformance_runs WHERE application_id = $1 AND state = 'open'`,
});

/** Finds a run of an application. */
export const findRun = oneRow<[applicationId: string, runId: string], StoredRun>({
  name: 'find-conformance-run',
  text: `SELECT ${columns} FROM (SELECT * FROM conformance_runs WHERE run_id = $2 OFFSET 0) found
    WHERE application_id = $1`,
});

/** Lists the runs of an application before one, newest first. */
export const listStoredRuns = manyRows<
  [applicationId: string, before: string, atMost: number],
  StoredRun
>({
  name: 'list-conformance-runs',
  text: `SELECT ${columns} FROM conformance_runs WHERE application_id = $1 AND run_id < $2
    ORDER BY run_id DESC LIMIT $3`,
});

/** Ends an open run. False: it had ended before. */
export const endRun = hasRow<[runId: string, state: Exclude<Run['state'], 'open'>]>({
  name: 'end-conformance-run',
  text: `UPDATE conformance_runs SET state = $2, finished_at = now()
    WHERE run_id = $1 AND state = 'open' RETURNING run_id`,
});

/** Removes the oldest runs of an application above a number. */
export const trimRuns = noRows<[applicationId: string, kept: number]>({
  name: 'trim-conformance-runs',
  text: `DELETE FROM conformance_runs WHERE run_id = ANY (ARRAY(
      SELECT run_id FROM conformance_runs WHERE application_id = $1 AND state <> 'open'
      ORDER BY run_id DESC OFFSET $2))`,
});
