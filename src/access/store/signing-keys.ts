import type { EpochMs } from '../../contract/time.ts';
import type { Executor, Statement } from '../../platform/postgres/database.ts';
import { manyRows } from '../../platform/postgres/statement-functions.ts';
import type { SealedColumn } from '../../platform/postgres/sealed-columns.ts';

/** A JWK, as stored. */
export type Jwk = Record<string, unknown>;

/** A current or retired signing key. */
export interface SigningKey {
  keyId: string;
  publicJwk: Jwk;
  /** Null: the key is retired and no longer signs. */
  privateJwk: Jwk | null;
  createdAt: EpochMs;
  retiredAt: EpochMs | null;
}

interface SigningKeyRow {
  key_id: string;
  public_jwk: Jwk;
  private_sealed: Buffer;
  created_at: EpochMs;
  retired_at: EpochMs | null;
}

const openPrivate = (
  executor: Executor,
  { private_sealed: sealed, key_id: keyId }: SigningKeyRow,
) => JSON.parse(executor.vault.open('signing-key', sealed, keyId)) as Jwk;

/**
 * Lists the keys whose tokens can still be valid, newest first. The private part of a retired key stays sealed,
 * so that a rotation repairs a key that cannot be opened.
 */
export const listSigningKeys = manyRows<[tokenSeconds: number], SigningKeyRow, SigningKey>({
  name: 'list-signing-keys',
  text: `SELECT key_id, public_jwk, private_sealed, created_at, retired_at FROM token_signing_keys
    WHERE retired_at IS NULL OR retired_at > now() - make_interval(secs => $1)
    ORDER BY created_at DESC, key_id`,
  result: (row, executor) => ({
    keyId: row.key_id,
    publicJwk: row.public_jwk,
    privateJwk: row.retired_at === null ? openPrivate(executor, row) : null,
    createdAt: row.created_at,
    retiredAt: row.retired_at,
  }),
});

const firstStatement: Statement = {
  name: 'insert-first-signing-key',
  text: `INSERT INTO token_signing_keys (key_id, public_jwk, private_sealed)
    VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
};

const rotateStatement: Statement = {
  name: 'rotate-signing-key',
  text: `WITH retired AS (
      UPDATE token_signing_keys SET retired_at = now() WHERE retired_at IS NULL RETURNING key_id
    )
    INSERT INTO token_signing_keys (key_id, public_jwk, private_sealed)
    SELECT $1, $2, $3 FROM (SELECT count(*) FROM retired) done
    ON CONFLICT DO NOTHING RETURNING key_id`,
};

const replaceStatement: Statement = {
  name: 'replace-signing-keys',
  text: `WITH ended AS (DELETE FROM token_signing_keys RETURNING key_id)
    INSERT INTO token_signing_keys (key_id, public_jwk, private_sealed)
    SELECT $1, $2, $3 FROM (SELECT count(*) FROM ended) done
    ON CONFLICT DO NOTHING RETURNING key_id`,
};

interface NewKey {
  keyId: string;
  publicJwk: Jwk;
  privateJwk: Jwk;
}

const valuesOf = (executor: Executor, key: NewKey): unknown[] => [
  key.keyId,
  JSON.stringify(key.publicJwk),
  executor.vault.seal('signing-key', JSON.stringify(key.privateJwk), key.keyId),
];

/** Writes the key unless there is a signing key or another process writes one. */
export async function insertFirstSigningKey(executor: Executor, key: NewKey): Promise<void> {
  await executor.query(firstStatement, valuesOf(executor, key));
}

/**
 * Makes the key the signing key. Earlier keys verify until their last token has expired. False: another
 * process rotated at the same instant; retry.
 */
export async function rotateSigningKey(executor: Executor, key: NewKey): Promise<boolean> {
  return (await executor.query(rotateStatement, valuesOf(executor, key))).length === 1;
}

/**
 * Makes the key the only one: what the others have signed is refused from then on. False: another process rotated at
 * the same instant; retry.
 */
export async function replaceSigningKeys(executor: Executor, key: NewKey): Promise<boolean> {
  return (await executor.query(replaceStatement, valuesOf(executor, key))).length === 1;
}

/** The private parts of the keys. */
export const sealedSigningKeys: readonly SealedColumn[] = [
  {
    table: 'token_signing_keys',
    column: 'private_sealed',
    purpose: 'signing-key',
    key: { key_id: 'text' },
    context: ([keyId]) => keyId!,
  },
];
