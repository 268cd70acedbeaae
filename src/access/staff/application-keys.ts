/** What staff do with application keys. */
import type { Refusal } from '../../contract/errors.ts';
import { refuseConflict, refuseStaff } from '../../contract/operator/errors.ts';
import { mintKey } from '../application-key.ts';
import type { Environment } from '../../contract/wire.ts';
import {
  insertKey,
  listKeys as listStoredKeys,
  revokeKey as revoke,
  type ApplicationKey,
} from '../store/application-keys.ts';
import { findApplication } from '../store/applications.ts';
import type { AuditEntry } from '../../platform/audit/audit-entries.ts';
import type { Database, Executor } from '../../platform/postgres/database.ts';
import { daySeconds, type EpochMs, instant } from '../../contract/time.ts';
import { auditedChange } from '../../platform/audit/audited-change.ts';
import { lacksReport } from './required-report.ts';
import { noApplication } from './staff-refusals.ts';

/** The default lifetime of a key. Spec: ACCESS-10. */
const defaultKeyLifetimeSeconds = 365 * daySeconds;

/** A key that was just issued. The full key is not stored. */
export interface IssuedKey {
  keyId: string;
  applicationKey: string;
  expiresAt: EpochMs;
}

/** The input of a new key. */
export interface KeyInput {
  /** The environment where the key works. The key names it. */
  environment: Environment;
  applicationId: string;
  lifetimeSeconds?: number | undefined;
  /** From where it may be used. Absent: from everywhere. */
  networks?: readonly string[] | undefined;
}

/** Writes a key. The caller has checked the application, and audits the key. */
export async function insertNewKey(
  executor: Executor,
  { environment, applicationId, lifetimeSeconds = defaultKeyLifetimeSeconds, networks }: KeyInput,
): Promise<IssuedKey> {
  const { keyId, applicationKey, digest } = mintKey(environment);
  const key = { keyId, applicationId, digest, lifetimeSeconds, networks };
  const { expiresAt } = await insertKey(executor, key);
  return { keyId, applicationKey, expiresAt };
}

/** The audit entry of a new key. */
export const keyIssuedEntry = (
  actor: string,
  applicationId: string,
  { keyId, expiresAt }: Pick<IssuedKey, 'keyId' | 'expiresAt'>,
): AuditEntry => ({
  actor,
  action: 'key.issue',
  applicationId,
  details: { keyId, expiresAt: instant(expiresAt) },
});

/** The audit entry of a revoked key. */
export const keyRevokedEntry = (
  actor: string,
  { applicationId, keyId }: ApplicationKey,
): AuditEntry => ({ actor, action: 'key.revoke', applicationId, details: { keyId } });

const noReport = refuseConflict(
  'This application needs a report of a conformance run: verify one with latchkey conformance verify.',
);

/** Issues another key; existing keys keep working. */
export const issueKey = (
  database: Database,
  actor: string,
  input: KeyInput,
): Promise<IssuedKey | Refusal<'not_found' | 'conflict'>> =>
  auditedChange(
    database,
    async (executor): Promise<IssuedKey | Refusal<'not_found' | 'conflict'>> => {
      const application = await findApplication(executor, input.applicationId);
      if (!application) return noApplication(input.applicationId);
      if (await lacksReport(executor, application, input.environment)) return noReport;
      return insertNewKey(executor, input);
    },
    (issued) => keyIssuedEntry(actor, input.applicationId, issued),
  );

/** Lists the keys of an application with their state, oldest first. */
export async function listKeys(
  database: Database,
  applicationId: string,
): Promise<ApplicationKey[] | Refusal<'not_found'>> {
  if (!(await findApplication(database, applicationId))) return noApplication(applicationId);
  return listStoredKeys(database, applicationId);
}

/** Revokes a key: it gets no more tokens, and its tokens end within seconds. */
export const revokeKey = (
  database: Database,
  actor: string,
  keyId: string,
): Promise<ApplicationKey | Refusal<'not_found'>> =>
  auditedChange(
    database,
    async (executor) =>
      (await revoke(executor, keyId)) ?? refuseStaff('not_found', `There is no key ${keyId}.`),
    (revoked) => keyRevokedEntry(actor, revoked),
  );
