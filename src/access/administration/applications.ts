/** Administration of partner applications by staff. */
import { randomUUID } from 'node:crypto';
import { defaultQuotas, type Tier } from '../../contract/limits.ts';
import type { Capability } from '../../contract/scopes.ts';
import type { Environment, Settlement } from '../../contract/wire.ts';
import {
  insertApplication,
  resumeApplication as resume,
  writeQuotas,
  suspendApplication as suspend,
  type Application,
} from '../store/applications.ts';
import type { AuditEntry } from '../../platform/audit/audit-entries.ts';
import type { Database, Executor } from '../../platform/postgres/database.ts';
import { insertNewKey, keyIssuedEntry, type IssuedKey } from './application-keys.ts';
import { auditedChange } from '../../platform/audit/audited-change.ts';
import { unknownApplication } from './operator-refusal.ts';

export { listApplications } from '../store/applications.ts';

/** The maximum quota in calls per minute. A larger number is probably a typing error. */
export const largestQuota = 1_000_000_000;

/** The input of a new application. */
export interface ApplicationInput {
  name: string;
  settlement: Settlement;
  grants: readonly Capability[];
  /** Calls per minute. Missing tiers get the default. */
  quotas: Partial<Record<Tier, number>>;
}

/** Writes an application. The caller audits it. */
export const registerApplication = (
  executor: Executor,
  applicationId: string,
  { name, settlement, grants, quotas }: ApplicationInput,
): Promise<Application> =>
  insertApplication(executor, {
    applicationId,
    name,
    settlement,
    grants: [...grants],
    quotas: { ...defaultQuotas, ...quotas },
  });

/** What the audit trail says of a new application. */
export const applicationCreatedEntry = (
  actor: string,
  { applicationId, name, settlement, grants, quotas }: Application,
): AuditEntry => ({
  actor,
  action: 'application.create',
  applicationId,
  details: { name, settlement, grants, quotas },
});

/** A new application with its first key. */
export type NewApplication = Application & IssuedKey;

/** Registers an application and issues its first key. A running service serves it at once. */
export async function createApplication(
  database: Database,
  actor: string,
  { environment, ...input }: ApplicationInput & { environment: Environment },
): Promise<NewApplication> {
  const applicationId = randomUUID();
  const { application, key } = await auditedChange(
    database,
    async (executor) => {
      const made = await registerApplication(executor, applicationId, input);
      return {
        application: made,
        key: await insertNewKey(executor, { environment, applicationId }),
      };
    },
    (made) => [
      applicationCreatedEntry(actor, made.application),
      keyIssuedEntry(actor, applicationId, made.key),
    ],
  );
  return { ...application, ...key };
}

async function changedApplication(
  database: Database,
  applicationId: string,
  change: (executor: Executor) => Promise<Application | undefined>,
  entry: { actor: string; action: string; details: Record<string, unknown> },
): Promise<Application> {
  const application = await auditedChange(database, change, () => ({ ...entry, applicationId }));
  if (!application) throw unknownApplication(applicationId);
  return application;
}

/** Suspends an application until it is resumed. Throws `OperatorRefusal`. */
export const suspendApplication = (
  database: Database,
  actor: string,
  applicationId: string,
  reason: string | null,
): Promise<Application> =>
  changedApplication(
    database,
    applicationId,
    (executor) => suspend(executor, applicationId, reason),
    { actor, action: 'application.suspend', details: { reason } },
  );

/** Resumes a suspended application. Throws `OperatorRefusal`. */
export const resumeApplication = (
  database: Database,
  actor: string,
  applicationId: string,
): Promise<Application> =>
  changedApplication(database, applicationId, (executor) => resume(executor, applicationId), {
    actor,
    action: 'application.resume',
    details: {},
  });

/** Changes quotas; missing tiers keep theirs. Throws `OperatorRefusal`. */
export const setQuotas = (
  database: Database,
  actor: string,
  applicationId: string,
  quotas: Partial<Record<Tier, number>>,
): Promise<Application> =>
  changedApplication(
    database,
    applicationId,
    (executor) => writeQuotas(executor, applicationId, quotas),
    { actor, action: 'application.set-quota', details: { quotas } },
  );
