import type { Executor, Statement } from '../../platform/postgres/database.ts';

/** Locks the homes whose IDs a query returns, in their order. Part of a statement. */
export const lockedHomes = (ids: string): string => `SELECT listing_id FROM listings
      WHERE listing_id = ANY (ARRAY(${ids})) ORDER BY listing_id FOR NO KEY UPDATE`;

const lockStatement: Statement = {
  name: 'lock-homes',
  text: lockedHomes('SELECT unnest($1::uuid[])'),
};

/**
 * Locks homes until the transaction ends. A transaction that takes or frees nights in several steps first
 * locks their homes: while it waits for other nights, it already has some that others wait for. Single steps
 * and reads do not wait for the lock.
 */
export async function lockHomes(executor: Executor, listingIds: readonly string[]): Promise<void> {
  await executor.query(lockStatement, [listingIds]);
}
