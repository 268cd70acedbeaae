import type { Role } from '../../contract/operator/roles.ts';
import type { EpochMs } from '../../contract/time.ts';
import { manyRows, oneRow, theRow } from '../../platform/postgres/statement-functions.ts';

/** A token, without its secret. */
export interface StoredToken {
  tokenId: string;
  name: string;
  role: Role;
  state: 'active' | 'expired' | 'revoked';
  createdAt: EpochMs;
  expiresAt: EpochMs;
  revokedAt: EpochMs | null;
  networks: string[] | null;
  /** What it may do, of what its role may; null: all of it. */
  scopes: string[] | null;
}

const lastUuid = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const columns = `token_id AS "tokenId", name, role, created_at AS "createdAt",
  expires_at AS "expiresAt", revoked_at AS "revokedAt", networks::text[] AS networks, scopes,
  CASE WHEN revoked_at IS NOT NULL THEN 'revoked' WHEN expires_at <= now() THEN 'expired'
    ELSE 'active' END AS state`;

/** Stores the digest of a new token. */
export const insertToken = theRow<
  [
    token: {
      digest: Buffer;
      name: string;
      role: Role;
      lifetimeSeconds: number;
      networks: readonly string[] | null;
      scopes: readonly string[] | null;
    },
  ],
  { tokenId: string; expiresAt: EpochMs }
>({
  name: 'insert-operator-token',
  text: `INSERT INTO operator_tokens (token_id, token_digest, name, role, expires_at, networks, scopes)
    VALUES (gen_random_uuid(), $1, $2, $3, now() + make_interval(secs => $4), $5::cidr[], $6)
    RETURNING token_id AS "tokenId", expires_at AS "expiresAt"`,
  values: ({ digest, name, role, lifetimeSeconds, networks, scopes }) => [
    digest,
    name,
    role,
    lifetimeSeconds,
    networks,
    scopes,
  ],
});

/** Whose call a token is, and from where it may be. */
export type ValidToken = Pick<StoredToken, 'name' | 'role' | 'networks' | 'scopes'>;

/** Finds a valid token by its digest. */
export const findToken = oneRow<[digest: Buffer], ValidToken>({
  name: 'find-operator-token',
  text: `SELECT name, role, networks::text[] AS networks, scopes FROM operator_tokens
    WHERE token_digest = $1 AND expires_at > now() AND revoked_at IS NULL`,
});

/** Lists tokens, newest first: those before one; null: from the newest. */
export const listTokens = manyRows<[before: string | null, atMost: number], StoredToken>({
  name: 'list-operator-tokens',
  text: `SELECT ${columns} FROM operator_tokens
    WHERE (created_at, token_id) < (
      coalesce((SELECT created_at FROM operator_tokens WHERE token_id = $1), 'infinity'), coalesce($1, '${lastUuid}'))
    ORDER BY created_at DESC, token_id DESC LIMIT $2`,
});

/** Revokes a token. A token that was revoked before stays as it is. */
export const setTokenRevoked = oneRow<[tokenId: string], StoredToken>({
  name: 'revoke-operator-token',
  text: `UPDATE operator_tokens SET revoked_at = coalesce(revoked_at, now()) WHERE token_id = $1
    RETURNING ${columns}`,
});
