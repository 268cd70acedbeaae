import type { EpochMs } from '../../contract/time.ts';
import { manyRows, noRows, oneRow, theRow } from '../../platform/postgres/statement-functions.ts';

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

const columns = `key_id AS "keyId", application_id AS "applicationId", created_at AS "createdAt",
  expires_at AS "expiresAt", revoked_at AS "revokedAt", last_used_at AS "lastUsedAt", networks::text[] AS networks,
  CASE WHEN revoked_at IS NOT NULL THEN 'revoked' WHEN expires_at > now() THEN 'active'
    ELSE 'expired' END AS state`;

/** Stores the digest of a new key. */
export const insertKey = theRow<
  [
    key: {
      keyId: string;
      applicationId: string;
      digest: Buffer;
      lifetimeSeconds: number;
      networks?: readonly string[] | undefined;
    },
  ],
  ApplicationKey
>({
  name: 'insert-key',
  text: `INSERT INTO application_keys (key_id, application_id, secret_digest, expires_at, networks)
    VALUES ($1, $2, $3, now() + make_interval(secs => $4), $5::cidr[]) RETURNING ${columns}`,
  values: (key) => [
    key.keyId,
    key.applicationId,
    key.digest,
    key.lifetimeSeconds,
    key.networks ?? null,
  ],
});

/** What is compared with a key that is sent. */
export interface UsableKey {
  digest: Buffer;
  networks: string[] | null;
}

/** Reads a key that is neither revoked nor expired. */
export const findUsableKey = oneRow<[keyId: string, applicationId: string], UsableKey>({
  name: 'find-usable-key',
  text: `SELECT secret_digest AS digest, networks::text[] AS networks FROM application_keys
    WHERE key_id = $1 AND application_id = $2 AND revoked_at IS NULL AND expires_at > now()`,
});

/** Records the last use of a key, with a precision of a minute. Shows when an old key can be revoked. */
export const touchKey = noRows<[keyId: string]>({
  name: 'touch-key',
  text: `UPDATE application_keys SET last_used_at = now()
    WHERE key_id = $1 AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')`,
});

/** Lists all keys of an application, oldest first, including revoked and expired ones. */
export const listKeys = manyRows<[applicationId: string], ApplicationKey>({
  name: 'list-keys',
  text: `SELECT ${columns} FROM application_keys WHERE application_id = $1
    ORDER BY created_at, key_id`,
});

/** Revokes a key. Revoking it again changes nothing. */
export const revokeKey = oneRow<[keyId: string], ApplicationKey>({
  name: 'revoke-key',
  text: `UPDATE application_keys SET revoked_at = coalesce(revoked_at, now())
    WHERE key_id = $1 RETURNING ${columns}`,
});
