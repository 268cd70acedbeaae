import type { EpochMs } from '../../contract/time.ts';
import type { Executor, Statement } from '../../platform/postgres/database.ts';

/** The state of a key. */
export type KeyState = 'active' | 'expired' | 'revoked';

/** A stored application key, without the key itself. */
export interface ApplicationKey {
  keyId: string;
  applicationId: string;
  createdAt: EpochMs;
  expiresAt: EpochMs;
  revokedAt: EpochMs | null;
  lastUsedAt: EpochMs | null;
  /** The state at the time of the read. */
  state: KeyState;
  /** From where it gets tokens, and they call; null: from everywhere. */
  networks: string[] | null;
}

interface KeyRow {
  key_id: string;
  application_id: string;
  secret_digest: Buffer;
  created_at: EpochMs;
  expires_at: EpochMs;
  revoked_at: EpochMs | null;
  last_used_at: EpochMs | null;
  state: KeyState;
  networks: string[] | null;
}

const columns = `key_id, application_id, created_at, expires_at, revoked_at, last_used_at,
  networks::text[] AS networks,
  CASE WHEN revoked_at IS NOT NULL THEN 'revoked' WHEN expires_at > now() THEN 'active'
    ELSE 'expired' END AS state`;

const keyOf = (row: KeyRow): ApplicationKey => ({
  keyId: row.key_id,
  applicationId: row.application_id,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  revokedAt: row.revoked_at,
  lastUsedAt: row.last_used_at,
  state: row.state,
  networks: row.networks,
});

const insertStatement: Statement = {
  name: 'insert-key',
  text: `INSERT INTO application_keys (key_id, application_id, secret_digest, expires_at, networks)
    VALUES ($1, $2, $3, now() + make_interval(secs => $4), $5::cidr[]) RETURNING ${columns}`,
};

/** Stores the digest of a new key. */
export async function insertKey(
  executor: Executor,
  key: {
    keyId: string;
    applicationId: string;
    digest: Buffer;
    lifetimeSeconds: number;
    networks?: readonly string[] | undefined;
  },
): Promise<ApplicationKey> {
  const [row] = await executor.query<KeyRow>(insertStatement, [
    key.keyId,
    key.applicationId,
    key.digest,
    key.lifetimeSeconds,
    key.networks ?? null,
  ]);
  return keyOf(row!);
}

const usableStatement: Statement = {
  name: 'find-usable-key',
  text: `SELECT secret_digest AS digest, networks::text[] AS networks FROM application_keys
    WHERE key_id = $1 AND application_id = $2 AND revoked_at IS NULL AND expires_at > now()`,
};

/** What is compared with a key that is sent. */
export interface UsableKey {
  digest: Buffer;
  networks: string[] | null;
}

/** Reads a key that is neither revoked nor expired. */
export async function findUsableKey(
  executor: Executor,
  keyId: string,
  applicationId: string,
): Promise<UsableKey | undefined> {
  return (await executor.query<UsableKey>(usableStatement, [keyId, applicationId]))[0];
}

const touchStatement: Statement = {
  name: 'touch-key',
  text: `UPDATE application_keys SET last_used_at = now()
    WHERE key_id = $1 AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')`,
};

/** Records the last use of a key, with a precision of a minute. Shows when an old key can be revoked. */
export async function touchKey(executor: Executor, keyId: string): Promise<void> {
  await executor.query(touchStatement, [keyId]);
}

const listStatement: Statement = {
  name: 'list-keys',
  text: `SELECT ${columns} FROM application_keys WHERE application_id = $1
    ORDER BY created_at, key_id`,
};

/** Lists all keys of an application, oldest first, including revoked and expired ones. */
export async function listKeys(
  executor: Executor,
  applicationId: string,
): Promise<ApplicationKey[]> {
  return (await executor.query<KeyRow>(listStatement, [applicationId])).map(keyOf);
}

const revokeStatement: Statement = {
  name: 'revoke-key',
  text: `UPDATE application_keys SET revoked_at = coalesce(revoked_at, now())
    WHERE key_id = $1 RETURNING ${columns}`,
};

/** Revokes a key. Revoking it again changes nothing. */
export async function revokeKey(
  executor: Executor,
  keyId: string,
): Promise<ApplicationKey | undefined> {
  const [row] = await executor.query<KeyRow>(revokeStatement, [keyId]);
  return row && keyOf(row);
}
