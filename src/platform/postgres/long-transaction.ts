import type pg from 'pg';
import type { Database, Executor } from './database.ts';

/** What a transaction sees, and whether it may write. */
export type TransactionKind = 'read write' | 'snapshot';

const begin: Readonly<Record<TransactionKind, string>> = {
  'read write': 'BEGIN',
  snapshot: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
};

const executorOn = (client: pg.Client, { vault }: Database): Executor => ({
  vault,
  async query<R>(
    { name, variant, text }: Parameters<Executor['query']>[0],
    values: readonly unknown[] = [],
  ) {
    const named = variant === undefined ? name : `${name}-${variant}`;
    return (await client.query({ name: named, text, values: values as unknown[] })).rows as R[];
  },
});

/**
 * Runs work without a time limit in a transaction on a connection of its own. It is committed only if the
 * work says so; without an answer (a killed process) PostgreSQL rolls it back.
 */
export async function longTransaction<T>(
  database: Database,
  kind: TransactionKind,
  work: (executor: Executor) => Promise<{ commit: boolean; result: T }>,
): Promise<T> {
  const client = await database.connect();
  try {
    await client.query(begin[kind]);
    const { commit, result } = await work(executorOn(client, database));
    await client.query(commit ? 'COMMIT' : 'ROLLBACK');
    return result;
  } finally {
    // Ends an open transaction, too.
    await client.end();
  }
}
