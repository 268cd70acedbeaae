/** Reports of conformance runs, as partners hand them over to an operator. */
import type { JSONWebKeySet } from 'jose';
import { type Application, insertVerifiedReport } from '../access/index.ts';
import type { Refusal } from '../contract/errors.ts';
import { refuseConflict } from '../contract/operator/errors.ts';
import type { Run } from '../contract/sandbox/conformance.ts';
import { auditedChange } from '../platform/audit/audited-change.ts';
import type { Database } from '../platform/postgres/database.ts';
import { reportType } from './conformance/report.ts';

/** A report, and what it is verified by. */
export interface ReportToVerify {
  report: string;
  /** The keys of the sandbox that has signed it. */
  keys: JSONWebKeySet;
  /** That of the contract that is served here. */
  contractDigest: string;
  /** The report is of this very installation: its application is known here. */
  isOwn: boolean;
}

interface Claims {
  sub: string;
  run: Run;
}

async function claimsOf({ report, keys }: ReportToVerify): Promise<Claims | null> {
  // Loaded with the first report: a start needs none.
  const { createLocalJWKSet } = await import('jose/jwks/local');
  const { compactVerify } = await import('jose/jws/compact/verify');
  try {
    const { payload, protectedHeader } = await compactVerify(
      report.trim(),
      createLocalJWKSet(keys),
      { algorithms: ['EdDSA'] },
    );
    if (protectedHeader.typ !== reportType) return null;
    return JSON.parse(new TextDecoder().decode(payload)) as Claims;
  } catch {
    return null;
  }
}

const refused = (text: string): Refusal<'conflict'> => refuseConflict(`${text} Nothing was kept.`);

/** What a report lacks; null: nothing. */
function problemOf(
  { sub, run }: Claims,
  { contractDigest, isOwn }: ReportToVerify,
  { applicationId }: Application,
): Refusal<'conflict'> | null {
  if (isOwn && sub !== applicationId) return refused('The report is of another application.');
  if (run.state !== passed) return refused(`The run ${run.runId} has not passed: ${run.state}.`);
  if (run.contractDigest === contractDigest) return null;
  return refused(`The run is about another contract: ${run.contractDigest}.`);
}

const passed = 'passed';

/** Verifies a report and keeps what it says, for the keys of `live`. Spec: SANDBOX-4. */
export async function verifyReport(
  database: Database,
  actor: string,
  application: Application,
  given: ReportToVerify,
) {
  const claims = await claimsOf(given);
  if (!claims) return refused('The report is not signed by these keys.');
  const problem = problemOf(claims, given, application);
  if (problem) return problem;
  const { runId, profile, wireVersion, contractDigest, finishedAt } = claims.run;
  const { applicationId } = application;
  const kept = { runId, profile, state: passed, wireVersion, contractDigest } as const;
  return auditedChange(
    database,
    async (executor) => {
      const at = Date.parse(finishedAt ?? '');
      await insertVerifiedReport(executor, applicationId, { ...kept, finishedAt: at });
      return { ...kept, finishedAt };
    },
    () => ({ actor, action: 'conformance.verify', applicationId, details: { ...kept } }),
  );
}
