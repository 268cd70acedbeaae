/** Creates of the operator's API that are repeated with the same `Idempotency-Key`. */
import { createHash } from 'node:crypto';
import { canonicalJson } from '../api/identity.ts';
import type { AnyResponse } from '../api/response.ts';
import type { KeyedCreate } from '../api/surface.ts';
import { isRefusal, type Refusal } from '../contract/errors.ts';
import type { StaffActor } from '../api/staff-acts.ts';
import type { Database, Executor } from '../platform/postgres/database.ts';
import type { OperatorContext } from './context.ts';
import { type KeyedCall, readCreated, storeCreated, takeKey } from './store/idempotency-keys.ts';

/** A database whose statements and transactions are part of one transaction. */
const joined = (database: Database, executor: Executor): Database => ({
  ...database,
  query: executor.query,
  async transaction(work) {
    const undo = 'ROLLBACK TO SAVEPOINT part';
    const point = (text: string) => executor.query({ name: '', text });
    await point('SAVEPOINT part');
    try {
      const result = await work(executor);
      await point(isRefusal(result) ? undo : 'RELEASE SAVEPOINT part');
      return result;
    } catch (error) {
      await point(undo);
      throw error;
    }
  },
});

const otherInput: Refusal<'conflict'> = {
  refused: 'conflict',
  message: 'This key was used within the last day for another input.',
  details: { reason: 'different_input' },
};

const erased: Refusal<'conflict'> = {
  refused: 'conflict',
  message: 'This was created before; it was erased with its guest.',
};

function identityOf({ vault }: Executor, { call, key }: KeyedCreate): KeyedCall {
  const { operation, params, body, bytes } = call;
  const sent = createHash('sha256').update(bytes).digest('hex');
  const inputDigests = vault.macs('keyed-create', canonicalJson({ params, body, sent }));
  return { actor: (call.actor as StaffActor).name, operation, key, inputDigests };
}

/** Without the secrets that were shown once. */
const shownAgain = (body: object, hides: readonly string[]): object =>
  Object.fromEntries(Object.entries(body).filter(([member]) => !hides.includes(member)));

type Work = (context: OperatorContext) => Promise<AnyResponse | Refusal>;

/**
 * Creates in one transaction with the key, so that both exist or none does, and calls with the same key wait for each
 * other. Null: a call of the last day has the key.
 */
const createWithKey = (
  context: OperatorContext,
  create: KeyedCreate,
  call: KeyedCall,
  work: Work,
): Promise<AnyResponse | Refusal | null> =>
  context.database.transaction(async (executor) => {
    if (!(await takeKey(executor, call))) return null;
    const database = joined(context.database, executor);
    const response = await work({ ...context, database });
    // The transaction undoes what the key has taken.
    if (isRefusal(response)) return response;
    await storeCreated(executor, call, shownAgain(response.body ?? {}, create.hides));
    return response;
  });

/** Runs a create at most once for each key of an actor within a day. Spec: OPERATOR-13. */
export async function createOnce(
  context: OperatorContext,
  create: KeyedCreate,
  work: Work,
): Promise<AnyResponse | Refusal> {
  const call = identityOf(context.database, create);
  for (;;) {
    const created = await createWithKey(context, create, call, work);
    if (isRefusal(created)) return created;
    if (created) {
      // The handler has asked for this before others could see what it has created.
      context.availability.changed();
      await context.catalog.followSoon();
      return created;
    }
    const earlier = await readCreated(context.database, call);
    // It was swept in this moment.
    if (!earlier) continue;
    const isSame = call.inputDigests.some((digest) => digest.equals(earlier.inputDigest));
    if (!isSame) return otherInput;
    return earlier.reply ? { status: 200, body: earlier.reply } : erased;
  }
}
