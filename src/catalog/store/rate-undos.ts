/** What the dates of homes said before changes of rates, for a day. */
import { manyRows, manyValues, noRows } from '../../platform/postgres/statement-functions.ts';
import type { Home } from './listing-rows.ts';

type Dates = Home['rates']['dates'];

/** The dates of a home before and after a change. */
export interface RatesBefore {
  listingId: string;
  before: Dates;
  after: Dates;
}

/** Keeps what the dates of homes said before a change. */
export const keepRatesBefore = noRows<[changeId: string, homes: readonly RatesBefore[]]>({
  name: 'keep-rates-before',
  text: `INSERT INTO rate_undos (change_id, listing_id, dates_before, dates_after)
    SELECT $1::uuid, "listingId", before, after
    FROM json_to_recordset($2) AS given("listingId" uuid, before jsonb, after jsonb)`,
  values: (changeId, homes) => [changeId, JSON.stringify(homes)],
});

/** The homes whose dates a change can give back. None: it cannot be undone, or no longer. */
export const homesOfRatesUndo = manyValues<[changeId: string], string>({
  name: 'list-homes-of-rates-undo',
  text: 'SELECT listing_id AS "listingId" FROM rate_undos WHERE change_id = $1',
});

/** Takes what the dates of homes said before a change. Fewer than homes: somebody else has undone it. */
export const takeRatesBefore = manyRows<
  [changeId: string, listingIds: readonly string[]],
  RatesBefore
>({
  name: 'take-rates-before',
  text: `DELETE FROM rate_undos WHERE change_id = $1 AND listing_id = ANY ($2)
    RETURNING listing_id AS "listingId", dates_before AS before, dates_after AS after`,
});
