import type { Role } from '../../contract/operator/roles.ts';
import type { EpochMs } from '../../contract/time.ts';
import type { Executor, Statement } from '../../platform/postgres/database.ts';

const insertStatement: Statement = {
  name: 'insert-operator-token',
  text: `INSERT INTO operator_tokens (token_id, token_digest, name, role, expires_at)
    VALUES (gen_random_uuid(), $1, $2, $3, now() + make_interval(secs => $4))
    RETURNING token_id AS "tokenId", expires_at AS "expiresAt"`,
};

/** Stores the digest of a new token. */
export async function insertToken(
  executor: Executor,
  token: { digest: Buffer; name: string; role: Role; lifetimeSeconds: number },
): Promise<{ tokenId: string; expiresAt: EpochMs }> {
  const values = [token.digest, token.name, token.role, token.lifetimeSeconds];
  const [row] = await executor.query<{ tokenId: string; expiresAt: EpochMs }>(
    insertStatement,
    values,
  );
  return row!;
}

const findStatement: Statement = {
  name: 'find-operator-token',
  text: `SELECT name, role FROM operator_tokens
    WHERE token_digest = $1 AND expires_at > now() AND revoked_at IS NULL`,
};

/** Finds a valid token by its digest. */
export async function findToken(
  executor: Executor,
  digest: Buffer,
): Promise<{ name: string; role: Role } | undefined> {
  const [row] = await executor.query<{ name: string; role: Role }>(findStatement, [digest]);
  return row;
}
