/** What staff do with partner applications. */
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
import { insertAuditEntry } from '../../platform/audit/audit-entries.ts';
import type { Database, Executor } from '../../platform/postgres/database.ts';
import { insertNewKey, type IssuedKey } from './application-keys.ts';
import { auditedChange } from '../../platform/audit/audited-change.ts';
import { unknownApplication } from './operator-refusal.ts';

export { listApplications } from '../store/applications.ts';

/** The most calls a minute that can be agreed: a figure beyond it is a slip of the finger. */
export const largestQuota = 1_000_000_000;

/** An application that is to be registered. */
export interface ApplicationWish {
  name: string;
  settlement: Settlement;
  grants: readonly Capability[];
  /** Calls per minute; tiers that are not named get the default. */
  quotas: Partial<Record<Tier, number>>;
}

/** Writes an application and its audit entry; the caller holds the transaction. */
export async function registerApplication(
  executor: Executor,
  actor: string,
  applicationId: string,
  { name, settlement, grants, quotas }: ApplicationWish,
): Promise<Application> {
  const application = await insertApplication(executor, {
    applicationId,
    name,
    settlement,
    grants: [...grants],
    quotas: { ...defaultQuotas, ...quotas },
  });
  await insertAuditEntry(executor, {
    actor,
    action: 'application.create',
    applicationId,
    details: { name, settlement, grants, quotas: application.quotas },
  });
  return application;
}

/** An application that was just registered, with its first key. */
export type NewApplication = Application & IssuedKey;

/** Registers an application and issues its first key. A running service serves it at once. */
export function createApplication(
  database: Database,
  actor: string,
  input: ApplicationWish & { environment: Environment },
): Promise<NewApplication> {
  return database.transaction(async (executor) => {
    const application = await registerApplication(executor, actor, randomUUID(), input);
    const { applicationId } = application;
    const { environment } = input;
    return {
      ...application,
      ...(await insertNewKey(executor, actor, { environment, applicationId })),
    };
  });
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

/** Takes an application's standing away, until it is resumed. Throws `OperatorRefusal`. */
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

/** Gives an application's standing back. Throws `OperatorRefusal`. */
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

/** Agrees other quotas; tiers that are not named keep theirs. Throws `OperatorRefusal`. */
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
