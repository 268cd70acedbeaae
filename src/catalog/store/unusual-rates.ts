/** Calls that have set unusual prices, until staff say that they are meant. */
import type { Executor, Statement } from '../../platform/postgres/database.ts';

/** A call that has set unusual prices. */
interface UnusualCall {
  /** The first of the homes. */
  listingId: string;
  /** What its first unusual night costs now, in minor units. */
  price: number;
  currency: string;
  /** In words. */
  about: string;
}

const insertStatement: Statement = {
  name: 'insert-unusual-rates',
  text: `INSERT INTO unusual_rates (listing_id, price_minor, currency, about) VALUES ($1, $2, $3, $4)`,
};

/** Stores a call that has set unusual prices. */
export async function insertUnusualRates(
  executor: Executor,
  { listingId, price, currency, about }: UnusualCall,
): Promise<void> {
  await executor.query(insertStatement, [listingId, price, currency, about]);
}

const deleteStatement: Statement = {
  name: 'delete-unusual-rates',
  text: 'DELETE FROM unusual_rates WHERE change_id = $1 RETURNING about',
};

/** Removes a call that has set unusual prices. Undefined: there is none with this ID. */
export async function deleteUnusualRates(
  executor: Executor,
  changeId: string,
): Promise<{ about: string } | undefined> {
  const [row] = await executor.query<{ about: string }>(deleteStatement, [changeId]);
  return row;
}
