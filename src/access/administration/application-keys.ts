/** What staff do with the keys of partner applications. */
import { mintKey } from '../application-key.ts';
import type { Environment } from '../../contract/wire.ts';
import {
  insertKey,
  listKeys as listStoredKeys,
  revokeKey as revoke,
  type ApplicationKey,
} from '../store/application-keys.ts';
import { findApplication } from '../store/applications.ts';
import { insertAuditEntry } from '../../platform/audit/audit-entries.ts';
import type { Database, Executor } from '../../platform/postgres/database.ts';
import type { EpochMs } from '../../contract/time.ts';
import { auditedChange } from '../../platform/audit/audited-change.ts';
import { OperatorRefusal, unknownApplication } from './operator-refusal.ts';

const daySeconds = 86_400;

/** How long a key lives where nothing else was asked for. */
export const defaultKeyLifetimeSeconds = 365 * daySeconds;

/** No key lives longer. */
export const longestKeyLifetimeSeconds = 3_650 * daySeconds;

/** A key at the only moment at which all of it is known here. */
export interface IssuedKey {
  keyId: string;
  applicationKey: string;
  expiresAt: EpochMs;
}

/** A key that is to be issued. */
export interface KeyWish {
  /** Where it works; it is named in the key. */
  environment: Environment;
  applicationId: string;
  lifetimeSeconds?: number | undefined;
}

/** Writes a key and its audit entry; the caller holds the transaction and knows the application. */
export async function insertNewKey(
  executor: Executor,
  actor: string,
  { environment, applicationId, lifetimeSeconds = defaultKeyLifetimeSeconds }: KeyWish,
): Promise<IssuedKey> {
  const { keyId, applicationKey, digest } = mintKey(environment);
  const key = { keyId, applicationId, digest, lifetimeSeconds };
  const { expiresAt } = await insertKey(executor, key);
  const details = { keyId, expiresAt: new Date(expiresAt).toISOString() };
  await insertAuditEntry(executor, { actor, action: 'key.issue', applicationId, details });
  return { keyId, applicationKey, expiresAt };
}

/** Issues one more key; those that there are keep working. Throws `OperatorRefusal`. */
export async function issueKey(
  database: Database,
  actor: string,
  input: KeyWish,
): Promise<IssuedKey> {
  const key = await database.transaction(async (executor) => {
    const application = await findApplication(executor, input.applicationId);
    return application && insertNewKey(executor, actor, input);
  });
  if (!key) throw unknownApplication(input.applicationId);
  return key;
}

/** All keys of an application with their state, oldest first. Throws `OperatorRefusal`. */
export async function listKeys(
  database: Database,
  applicationId: string,
): Promise<ApplicationKey[]> {
  if (!(await findApplication(database, applicationId))) throw unknownApplication(applicationId);
  return listStoredKeys(database, applicationId);
}

/** Revokes a key: from now on it gets no token; tokens that it got live out. Throws `OperatorRefusal`. */
export async function revokeKey(
  database: Database,
  actor: string,
  keyId: string,
): Promise<ApplicationKey> {
  const key = await auditedChange(
    database,
    (executor) => revoke(executor, keyId),
    ({ applicationId }) => ({ actor, action: 'key.revoke', applicationId, details: { keyId } }),
  );
  if (!key) throw new OperatorRefusal(`There is no key ${keyId}.`);
  return key;
}
