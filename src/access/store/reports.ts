import { type EpochMs, instant } from '../../contract/time.ts';
import type { Executor, Statement } from '../../platform/postgres/database.ts';

/** What is kept of a verified report of a conformance run. */
export interface VerifiedReport {
  runId: string;
  profile: string;
  state: 'passed' | 'failed' | 'incomplete';
  wireVersion: string;
  contractDigest: string;
  finishedAt: EpochMs;
}

const insertStatement: Statement = {
  name: 'insert-verified-report',
  text: `INSERT INTO conformance_reports (application_id, run_id, profile, state, wire_version,
      contract_digest, finished_at, verified_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, now())
    ON CONFLICT (application_id, run_id) DO UPDATE SET verified_at = excluded.verified_at`,
};

/** Keeps a verified report. */
export async function insertVerifiedReport(
  executor: Executor,
  applicationId: string,
  { runId, profile, state, wireVersion, contractDigest, finishedAt }: VerifiedReport,
): Promise<void> {
  await executor.query(insertStatement, [
    applicationId,
    runId,
    profile,
    state,
    wireVersion,
    contractDigest,
    instant(finishedAt),
  ]);
}

// In the sandbox a run is its own proof.
const lastStatement: Statement = {
  name: 'find-last-conformance-run',
  text: `SELECT * FROM (
      SELECT run_id AS "runId", profile, state, wire_version AS "wireVersion",
        contract_digest AS "contractDigest", finished_at AS "finishedAt"
      FROM conformance_runs
      WHERE application_id = $1 AND state IN ('passed', 'failed', 'incomplete')
      UNION ALL
      SELECT run_id, profile, state, wire_version, contract_digest, finished_at
      FROM conformance_reports WHERE application_id = $1) known
    ORDER BY "finishedAt" DESC LIMIT 1`,
};

/** Finds the last final run of an application: its own, or that of a verified report. */
export async function findLastRun(
  executor: Executor,
  applicationId: string,
): Promise<VerifiedReport | undefined> {
  return (await executor.query<VerifiedReport>(lastStatement, [applicationId]))[0];
}

const hasStatement: Statement = {
  name: 'has-verified-report',
  text: 'SELECT FROM conformance_reports WHERE application_id = $1 LIMIT 1',
};

/** Whether staff have verified a report of an application. */
export const hasVerifiedReport = async (
  executor: Executor,
  applicationId: string,
): Promise<boolean> => (await executor.query(hasStatement, [applicationId])).length > 0;
