import { preparedName } from './prepared-name.ts';
import type pg from 'pg';
import { isRefusal } from '../../contract/errors.ts';
import type { Database, Executor } from './database.ts';
import { translated } from './database-errors.ts';

/** What a transaction sees, and whether it may write. */
type TransactionKind = 'read write' | 'snapshot';

const begin: Readonly<Record<TransactionKind, string>> = {
  'read write': 'BEGIN',
  snapshot: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
};

/** Errors of PostgreSQL are translated, errors of the work are not. */
async function query(client: pg.Client, config: pg.QueryConfig): Promise<unknown[]> {
  try {
    return (await client.query(config)).rows as unknown[];
  } catch (error) {
    throw translated(error);
  }
}

const executorOn = (client: pg.Client, { vault }: Database): Executor => ({
  vault,
  query<R>(statement: Parameters<Executor['query']>[0], values: readonly unknown[] = []) {
    const config = {
      name: preparedName(statement),
      text: statement.text,
      values: values as unknown[],
    };
    return query(client, config) as Promise<R[]>;
  },
});

/**
 * Runs work without a time limit in a transaction on a connection of its own. It is committed only if the
 * work asks for it, and its result is no refusal. If the process is killed, PostgreSQL rolls it back.
 */
export async function longTransaction<T>(
  database: Database,
  kind: TransactionKind,
  work: (executor: Executor) => Promise<{ commit: boolean; result: T }>,
): Promise<T> {
  const client = await database.connect();
  try {
    await query(client, { text: begin[kind] });
    const { commit, result } = await work(executorOn(client, database));
    await query(client, { text: commit && !isRefusal(result) ? 'COMMIT' : 'ROLLBACK' });
    return result;
  } finally {
    // Ends an open transaction, too.
    await client.end().catch(() => undefined);
  }
}
