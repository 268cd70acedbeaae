/** Reads homes: a row of `listings`, and rows of the tables of its rules. */

import { maxUuid, nilUuid } from '../../platform/uuid.ts';
import { DatabaseUnavailableError } from '../../platform/postgres/database-errors.ts';
import type { Executor, Statement } from '../../platform/postgres/database.ts';
import { manyRows, oneRow } from '../../platform/postgres/statement-functions.ts';
import {
  homeOf,
  type Home,
  type HomeMembers,
  type ListingRow,
  type RuleRows,
} from './listing-rows.ts';
import type { PlaceInCatalog } from './places.ts';

/** A home, the catalogs that sell it, and the revision of its last change. */
export interface StoredHome {
  home: Home;
  places: PlaceInCatalog[];
  revision: number;
}

const rules = (table: keyof RuleRows, columns: string, order: string): string =>
  `(SELECT coalesce(json_agg(r ORDER BY ${order}), '[]') FROM (
        SELECT ${columns} FROM ${table} WHERE listing_id = l.listing_id) r) AS ${table}`;

const homeColumns = `l.*, l.due_now_percent::float8 AS due_now_percent,
      l.weekday_prices::float8[] AS weekday_prices,
      ${rules('seasons', '*', 'r.place')},
      ${rules('dated_rates', 'lower(nights) AS from, upper(nights) AS until, nightly, min_nights, arrival_days, members', 'r.from')},
      ${rules('length_discounts', '*', 'r.min_nights')},
      ${rules('fees', '*', 'r.place')},
      ${rules('taxes', '*', 'r.place')},
      ${rules('cancellation_rules', '*', 'r.days_before DESC')},
      (SELECT members FROM listing_members WHERE listing_id = l.listing_id) AS members,
      (SELECT coalesce(json_agg(p), '[]') FROM (
        SELECT catalog_id AS "catalogId", collection_id AS "collectionId", position
        FROM catalog_listings WHERE listing_id = l.listing_id AND withdrawn_at IS NULL) p) AS places`;

type HomeRow = ListingRow &
  RuleRows & { members: HomeMembers | null; places: PlaceInCatalog[]; revision: number };

const storedHome = (row: HomeRow): StoredHome => ({
  home: homeOf(row, row, row.members ?? {}),
  places: row.places,
  revision: row.revision,
});

/** Reads the homes with these slugs, sorted by slug. */
export const readHomes = manyRows<[slugs: readonly string[]], HomeRow, StoredHome>({
  name: 'read-homes',
  text: `SELECT ${homeColumns} FROM listings l WHERE l.slug = ANY ($1) ORDER BY l.slug`,
  result: storedHome,
});

/** Reads a home by its ID. */
export const readHome = oneRow<[listingId: string], HomeRow, StoredHome>({
  name: 'read-home',
  text: `SELECT ${homeColumns} FROM listings l WHERE l.listing_id = $1`,
  result: storedHome,
});

const changedStatement: Statement = {
  name: 'read-changed-homes',
  text: `SELECT ${homeColumns} FROM listings l
    WHERE (l.revision, l.listing_id) > ($1, $2::uuid) ORDER BY l.revision, l.listing_id LIMIT $3`,
};

// A few milliseconds of work; the memory of a larger batch would also outlive the first garbage collections.
const batchSize = 100;

const triesAtMost = 5;

/**
 * Reads a batch again if it was not read in time: a pause of this process that is longer than a statement may take must
 * not lose the batches before.
 */
async function readBatch(
  executor: Executor,
  after: { revision: number; listingId: string },
  isFirst: boolean,
): Promise<HomeRow[]> {
  const values = [after.revision, after.listingId, batchSize];
  for (let left = isFirst ? 0 : triesAtMost - 1; ; left -= 1) {
    try {
      return await executor.query<HomeRow>(changedStatement, values);
    } catch (error) {
      if (left === 0 || !(error instanceof DatabaseUnavailableError)) throw error;
    }
  }
}

/** Reads the homes that have changed since a revision (0: all homes), in batches. */
export async function* readChangedHomes(
  executor: Executor,
  since: number,
): AsyncGenerator<StoredHome[]> {
  let after = { revision: since, listingId: since === 0 ? nilUuid : maxUuid };
  for (let isFirst = true; ; isFirst = false) {
    const rows = await readBatch(executor, after, isFirst);
    if (rows.length > 0) yield rows.map(storedHome);
    const last = rows.at(-1);
    if (!last || rows.length < batchSize) return;
    after = { revision: last.revision, listingId: last.listing_id };
  }
}

/** The slug and ID of a listing, which never change, and its name. */
export interface ListingIdentity {
  slug: string;
  id: string;
  name: string;
}

/** Reads the identities of the listings with one of these slugs or IDs. */
export const readIdentities = manyRows<
  [slugs: readonly string[], ids: readonly string[]],
  ListingIdentity
>({
  name: 'listing-identities',
  text: 'SELECT slug, listing_id AS id, name FROM listings WHERE slug = ANY ($1) OR listing_id = ANY ($2)',
});
