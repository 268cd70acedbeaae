/** What the dates of homes said before changes of rates, for a day. */
import type { Executor, Statement } from '../../platform/postgres/database.ts';
import type { Home } from './listing-rows.ts';

type Dates = Home['rates']['dates'];

/** The dates of a home before and after a change. */
export interface RatesBefore {
  listingId: string;
  before: Dates;
  after: Dates;
}

const insertStatement: Statement = {
  name: 'keep-rates-before',
  text: `INSERT INTO rate_undos (change_id, listing_id, dates_before, dates_after)
    SELECT $1::uuid, "listingId", before, after
    FROM json_to_recordset($2) AS given("listingId" uuid, before jsonb, after jsonb)`,
};

/** Keeps what the dates of homes said before a change. */
export async function keepRatesBefore(
  executor: Executor,
  changeId: string,
  homes: readonly RatesBefore[],
): Promise<void> {
  await executor.query(insertStatement, [changeId, JSON.stringify(homes)]);
}

const changedStatement: Statement = {
  name: 'list-homes-of-rates-undo',
  text: 'SELECT listing_id AS "listingId" FROM rate_undos WHERE change_id = $1',
};

/** The homes whose dates a change can give back. None: it cannot be undone, or no longer. */
export async function homesOfRatesUndo(executor: Executor, changeId: string): Promise<string[]> {
  const rows = await executor.query<{ listingId: string }>(changedStatement, [changeId]);
  return rows.map(({ listingId }) => listingId);
}

const takeStatement: Statement = {
  name: 'take-rates-before',
  text: `DELETE FROM rate_undos WHERE change_id = $1 AND listing_id = ANY ($2)
    RETURNING listing_id AS "listingId", dates_before AS before, dates_after AS after`,
};

/** Takes what the dates of homes said before a change. Fewer than homes: somebody else has undone it. */
export const takeRatesBefore = (
  executor: Executor,
  changeId: string,
  listingIds: readonly string[],
): Promise<RatesBefore[]> => executor.query<RatesBefore>(takeStatement, [changeId, listingIds]);
