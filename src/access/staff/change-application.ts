/** Changes of applications: each is audited, with the application before and after. */

import type { Seen } from '../../api/seen.ts';
import { type ErrorCode, isRefusal, type Refusal } from '../../contract/errors.ts';
import type { Tier } from '../../contract/limits.ts';
import type { AuditAction } from '../../contract/operator/audit-actions.ts';
import { instant } from '../../contract/time.ts';
import { auditedChange } from '../../platform/audit/audited-change.ts';
import type { Database, Executor } from '../../platform/postgres/database.ts';
import {
  type Application,
  findApplication,
  lockApplication,
  resumeApplication as resume,
  suspendApplication as suspend,
  writeQuotas,
} from '../store/applications.ts';
import { noApplication, seenRefusal } from './staff-refusals.ts';
import { applicationVersion } from './views.ts';

/** A change of an application: what it does, and what the audit trail says about it. */
interface ApplicationChange<Code extends ErrorCode> {
  action: AuditAction;
  change(executor: Executor, before: Application): Promise<Application | Refusal<Code> | undefined>;
  /** Null: nothing has changed, so there is no entry. */
  detailsOf(before: Application, after: Application): Record<string, unknown> | null;
}

/** Refuses to change an application whose version is another than staff have seen. Null: it is that one. */
export const versionRefusal = (
  seen: Seen | undefined,
  application: Application,
): Refusal<'precondition_failed'> | null =>
  seenRefusal(seen, applicationVersion(application), application.name);

/** Makes a change of a locked application and audits it. */
export async function changedApplication<Code extends ErrorCode = never>(
  database: Database,
  actor: string,
  applicationId: string,
  { action, change, detailsOf }: ApplicationChange<Code>,
): Promise<Application | Refusal<Code | 'not_found'>> {
  const changed = await auditedChange(
    database,
    async (executor) => {
      await lockApplication(executor, applicationId);
      const before = await findApplication(executor, applicationId);
      const after = before && (await change(executor, before));
      if (isRefusal(after)) return after;
      return before && after ? { before, after } : noApplication(applicationId);
    },
    (done) => {
      const { before, after } = done as { before: Application; after: Application };
      const details = detailsOf(before, after);
      return details === null ? [] : { actor, action, applicationId, details };
    },
  );
  return isRefusal(changed) ? changed : changed.after;
}

const standingOf = ({ suspendedAt, suspendedReason }: Application) => ({
  suspendedAt: instant(suspendedAt),
  suspendedReason,
});

const standings = (before: Application, after: Application) => ({
  before: standingOf(before),
  after: standingOf(after),
});

/** Suspends an application until it is resumed. */
export const suspendApplication = (
  database: Database,
  actor: string,
  applicationId: string,
  reason: string | null,
): Promise<Application | Refusal<'not_found'>> =>
  changedApplication(database, actor, applicationId, {
    action: 'application.suspend',
    change: (executor) => suspend(executor, applicationId, reason),
    detailsOf: (before, after) => ({ reason, ...standings(before, after) }),
  });

/** Resumes a suspended application. */
export const resumeApplication = (
  database: Database,
  actor: string,
  applicationId: string,
): Promise<Application | Refusal<'not_found'>> =>
  changedApplication(database, actor, applicationId, {
    action: 'application.resume',
    change: (executor) => resume(executor, applicationId),
    detailsOf: standings,
  });

/** Changes quotas; missing tiers keep theirs. */
export const setQuotas = (
  database: Database,
  actor: string,
  applicationId: string,
  quotas: Partial<Record<Tier, number>>,
  seen?: Seen,
): Promise<Application | Refusal<'not_found' | 'precondition_failed'>> =>
  changedApplication(database, actor, applicationId, {
    action: 'application.set-quota',
    change: async (executor, before) =>
      versionRefusal(seen, before) ?? writeQuotas(executor, applicationId, quotas),
    detailsOf: (before, after) => ({
      before: { quotas: before.quotas },
      after: { quotas: after.quotas },
    }),
  });
