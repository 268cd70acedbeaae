import { type EpochMs, instant } from '../../contract/time.ts';
import { hasRow, noRows, oneRow } from '../../platform/postgres/statement-functions.ts';

/** What is kept of a verified report of a conformance run. */
export interface VerifiedReport {
  runId: string;
  profile: string;
  state: 'passed' | 'failed' | 'incomplete';
  wireVersion: string;
  contractDigest: string;
  finishedAt: EpochMs;
}

/** Keeps a verified report. */
export const insertVerifiedReport = noRows<[applicationId: string, verifiedReport: VerifiedReport]>(
  {
    name: 'insert-verified-report',
    text: `INSERT INTO conformance_reports (application_id, run_id, profile, state, wire_version,
      contract_digest, finished_at, verified_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, now())
    ON CONFLICT (application_id, run_id) DO UPDATE SET verified_at = excluded.verified_at`,
    values: (applicationId, { runId, profile, state, wireVersion, contractDigest, finishedAt }) => [
      applicationId,
      runId,
      profile,
      state,
      wireVersion,
      contractDigest,
      instant(finishedAt),
    ],
  },
);

/** Finds the last final run of an application: its own, or that of a verified report. */
export const findLastRun = oneRow<[applicationId: string], VerifiedReport>({
  name: 'find-last-conformance-run',
  // In the sandbox a run is its own proof.
  text: `SELECT * FROM (
      SELECT run_id AS "runId", profile, state, wire_version AS "wireVersion",
        contract_digest AS "contractDigest", finished_at AS "finishedAt"
      FROM conformance_runs
      WHERE application_id = $1 AND state IN ('passed', 'failed', 'incomplete')
      UNION ALL
      SELECT run_id, profile, state, wire_version, contract_digest, finished_at
      FROM conformance_reports WHERE application_id = $1) known
    ORDER BY "finishedAt" DESC LIMIT 1`,
});

/** Whether staff have verified a report of an application. */
export const hasVerifiedReport = hasRow<[applicationId: string]>({
  name: 'has-verified-report',
  text: 'SELECT FROM conformance_reports WHERE application_id = $1 LIMIT 1',
});
