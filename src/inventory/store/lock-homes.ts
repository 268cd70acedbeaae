import { noRows } from '../../platform/postgres/statement-functions.ts';

/** Locks the homes whose IDs a query returns, in their order. Part of a statement. */
export const lockedHomes = (ids: string): string => `SELECT listing_id FROM listings
      WHERE listing_id = ANY (ARRAY(${ids})) ORDER BY listing_id FOR NO KEY UPDATE`;

/**
 * Locks homes until the transaction ends. A transaction that takes or frees nights in several steps first
 * locks their homes: while it waits for other nights, it already has some that others wait for. Single steps
 * and reads do not wait for the lock.
 */
export const lockHomes = noRows<[listingIds: readonly string[]]>({
  name: 'lock-homes',
  text: lockedHomes('SELECT unnest($1::uuid[])'),
});
