/** Changes of applications: each is audited, with the application before and after. */

import type { Seen } from '../../api/seen.ts';
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
import { checkSeen, unknownApplication } from './operator-refusal.ts';
import { applicationVersion } from './views.ts';

/** A change of an application: what it does, and what the audit trail says about it. */
interface ApplicationChange {
  action: AuditAction;
  /** The version that staff have seen; absent: any. */
  seen?: Seen | undefined;
  change(executor: Executor, before: Application): Promise<Application | undefined>;
  /** Null: nothing has changed, so there is no entry. */
  detailsOf(before: Application, after: Application): Record<string, unknown> | null;
}

/** Makes a change of a locked application and audits it. Throws `OperatorRefusal`. */
export async function changedApplication(
  database: Database,
  actor: string,
  applicationId: string,
  { action, seen, change, detailsOf }: ApplicationChange,
): Promise<Application> {
  const changed = await auditedChange(
    database,
    async (executor) => {
      await lockApplication(executor, applicationId);
      const before = await findApplication(executor, applicationId);
      if (before) checkSeen(seen, applicationVersion(before), `The version of ${before.name}`);
      const after = before && (await change(executor, before));
      return before && after && { before, after };
    },
    ({ before, after }) => {
      const details = detailsOf(before, after);
      return details === null ? [] : { actor, action, applicationId, details };
    },
  );
  if (!changed) throw unknownApplication(applicationId);
  return changed.after;
}

const standingOf = ({ suspendedAt, suspendedReason }: Application) => ({
  suspendedAt: instant(suspendedAt),
  suspendedReason,
});

const standings = (before: Application, after: Application) => ({
  before: standingOf(before),
  after: standingOf(after),
});

/** Suspends an application until it is resumed. Throws `OperatorRefusal`. */
export const suspendApplication = (
  database: Database,
  actor: string,
  applicationId: string,
  reason: string | null,
): Promise<Application> =>
  changedApplication(database, actor, applicationId, {
    action: 'application.suspend',
    change: (executor) => suspend(executor, applicationId, reason),
    detailsOf: (before, after) => ({ reason, ...standings(before, after) }),
  });

/** Resumes a suspended application. Throws `OperatorRefusal`. */
export const resumeApplication = (
  database: Database,
  actor: string,
  applicationId: string,
): Promise<Application> =>
  changedApplication(database, actor, applicationId, {
    action: 'application.resume',
    change: (executor) => resume(executor, applicationId),
    detailsOf: standings,
  });

/** Changes quotas; missing tiers keep theirs. Throws `OperatorRefusal`. */
export const setQuotas = (
  database: Database,
  actor: string,
  applicationId: string,
  quotas: Partial<Record<Tier, number>>,
  seen?: Seen,
): Promise<Application> =>
  changedApplication(database, actor, applicationId, {
    action: 'application.set-quota',
    seen,
    change: (executor) => writeQuotas(executor, applicationId, quotas),
    detailsOf: (before, after) => ({
      before: { quotas: before.quotas },
      after: { quotas: after.quotas },
    }),
  });
