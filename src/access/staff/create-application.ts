import { randomUUID } from 'node:crypto';
import { defaultQuotas, type Tier } from '../../contract/limits.ts';
import type { Capability } from '../../contract/scopes.ts';
import type { Environment } from '../../contract/wire.ts';
import { auditedChange } from '../../platform/audit/audited-change.ts';
import type { AuditEntry } from '../../platform/audit/audit-entries.ts';
import type { Database, Executor } from '../../platform/postgres/database.ts';
import {
  type Application,
  insertApplication,
  type NewApplicationRow,
} from '../store/applications.ts';
import { insertNewKey, keyIssuedEntry, type IssuedKey } from './application-keys.ts';

/** The input of a new application. */
export type ApplicationInput = Omit<
  NewApplicationRow,
  'applicationId' | 'grants' | 'quotas' | 'portalKeys'
> & {
  grants: readonly Capability[];
  /** Calls per minute. Missing tiers get the default. */
  quotas: Partial<Record<Tier, number>>;
  portalKeys: boolean;
};

/** Writes an application. The caller audits it. */
export const registerApplication = (
  executor: Executor,
  applicationId: string,
  { grants, quotas, ...input }: ApplicationInput,
): Promise<Application> =>
  insertApplication(executor, {
    ...input,
    applicationId,
    grants: [...grants],
    quotas: { ...defaultQuotas, ...quotas },
  });

/** What the audit trail says of a new application. */
export const applicationCreatedEntry = (actor: string, application: Application): AuditEntry => {
  const { applicationId, name, settlement, grants, quotas } = application;
  const { catalogId, adjustPercent, reservationsPerDay, portalKeys, commissionPercent, changes } =
    application;
  return {
    actor,
    action: 'application.create',
    applicationId,
    details: {
      name,
      settlement,
      grants,
      quotas,
      catalogId,
      adjustPercent,
      reservationsPerDay,
      portalKeys,
      commissionPercent,
      changes,
    },
  };
};

/** A new application with its first key. */
export type NewApplication = Application & IssuedKey;

/** Registers an application and issues its first key. A running service serves it at once. */
export async function createApplication(
  database: Database,
  actor: string,
  {
    environment,
    portalKeys = environment === 'simulation',
    ...rest
  }: Omit<ApplicationInput, 'portalKeys'> & {
    environment: Environment;
    /** Absent: only in the simulation. */
    portalKeys?: boolean | undefined;
  },
): Promise<NewApplication> {
  const input = { ...rest, portalKeys };
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
