/** What calls with `Idempotency-Key` have created. */
import type { Executor, Statement } from '../../platform/postgres/database.ts';
import { noRows } from '../../platform/postgres/statement-functions.ts';

/** A call with a key. */
export interface KeyedCall {
  /** In the audit trail. */
  actor: string;
  operation: string;
  key: string;
  /** Identifies the input without containing it: by each master key, the first for everything new. */
  inputDigests: readonly Buffer[];
}

const hours = 24;

// Waits for a call with the same key that has not ended.
const takeStatement: Statement = {
  name: 'take-create-key',
  text: `INSERT INTO keyed_creates (actor, operation, key_digest, input_digest)
    SELECT $1::text, $2::text, $3::bytea, $4::bytea WHERE NOT EXISTS (
      SELECT FROM keyed_creates WHERE actor = $1 AND operation = $2 AND key_digest = ANY ($5::bytea[])
        AND created_at >= now() - interval '${hours} hours')
    ON CONFLICT (actor, operation, key_digest) DO UPDATE
      SET input_digest = excluded.input_digest, reply_sealed = NULL, reference = NULL, created_at = now()
      WHERE keyed_creates.created_at < now() - interval '${hours} hours'
    RETURNING true AS taken`,
};

const digestsOf = ({ vault }: Executor, { key }: KeyedCall): readonly Buffer[] =>
  vault.macs('keyed-create', key);

const purpose = 'keyed-create';
const sealedFor = ({ actor, operation, key }: KeyedCall): string =>
  JSON.stringify([actor, operation, key]);

/** Takes a key in a transaction. False: a call of the last day has it. */
export async function takeKey(executor: Executor, call: KeyedCall): Promise<boolean> {
  const { actor, operation, inputDigests } = call;
  const [digest, ...earlier] = digestsOf(executor, call);
  const values = [actor, operation, digest, inputDigests[0], earlier];
  return (await executor.query(takeStatement, values)).length > 0;
}

const storeStatement: Statement = {
  name: 'store-created',
  text: `UPDATE keyed_creates SET reply_sealed = $4, reference = $5
    WHERE actor = $1 AND operation = $2 AND key_digest = $3`,
};

/** Stores what a call has created, in the transaction that has created it. */
export async function storeCreated(
  executor: Executor,
  call: KeyedCall,
  created: object,
): Promise<void> {
  const { actor, operation } = call;
  const sealed = executor.vault.seal(purpose, JSON.stringify(created), sealedFor(call));
  const reference = 'reference' in created ? created.reference : null;
  const values = [actor, operation, digestsOf(executor, call)[0], sealed, reference];
  await executor.query(storeStatement, values);
}

/** Erases what calls have created for these reservations; the key and the input are still recognized. */
export const eraseCreated = noRows<[references: readonly string[]]>({
  name: 'erase-created',
  text: 'UPDATE keyed_creates SET reply_sealed = NULL WHERE reference = ANY ($1::text[])',
});

const readStatement: Statement = {
  name: 'read-created',
  text: `SELECT input_digest AS "inputDigest", reply_sealed AS sealed FROM keyed_creates
    WHERE actor = $1 AND operation = $2 AND key_digest = ANY ($3::bytea[])
    ORDER BY created_at DESC LIMIT 1`,
};

/** What a call with this key has created. */
export interface Created {
  inputDigest: Buffer;
  /** Null: it was erased with a guest. */
  reply: object | null;
}

/** Reads what a call with this key has created. Undefined: nothing. */
export async function readCreated(
  executor: Executor,
  call: KeyedCall,
): Promise<Created | undefined> {
  const { actor, operation } = call;
  const values = [actor, operation, digestsOf(executor, call)];
  const [row] = await executor.query<{ inputDigest: Buffer; sealed: Buffer | null }>(
    readStatement,
    values,
  );
  if (!row) return undefined;
  const { inputDigest, sealed } = row;
  if (!sealed) return { inputDigest, reply: null };
  const reply = JSON.parse(executor.vault.open(purpose, sealed, sealedFor(call))) as object;
  return { inputDigest, reply };
}
