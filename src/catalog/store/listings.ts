/** Reads and writes homes: a row of `listings`, and rows of the tables of its rules. */

import type { EpochMs } from '../../contract/time.ts';
import { isUuid } from '../../platform/uuid.ts';
import type { Executor, Statement } from '../../platform/postgres/database.ts';
import {
  homeOf,
  listingRow,
  ruleRows,
  type Home,
  type ListingRow,
  type RuleRows,
  type WrittenHome,
} from './listing-rows.ts';

/** The place of a listing in a catalog that sells it. */
export interface PlaceInCatalog {
  catalogId: string;
  collectionId: string | null;
  position: number;
}

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
      ${rules('dated_rates', 'lower(nights) AS from, upper(nights) AS until, nightly, min_nights, arrival_days', 'r.from')},
      ${rules('length_discounts', '*', 'r.min_nights')},
      ${rules('fees', '*', 'r.place')},
      ${rules('taxes', '*', 'r.place')},
      ${rules('cancellation_rules', '*', 'r.days_before DESC')},
      (SELECT coalesce(json_agg(p), '[]') FROM (
        SELECT catalog_id AS "catalogId", collection_id AS "collectionId", position
        FROM catalog_listings WHERE listing_id = l.listing_id AND withdrawn_at IS NULL) p) AS places`;

type HomeRow = ListingRow & RuleRows & { places: PlaceInCatalog[]; revision: number };

const storedHome = (row: HomeRow): StoredHome => ({
  home: homeOf(row, row),
  places: row.places,
  revision: row.revision,
});

const bySlugStatement: Statement = {
  name: 'read-homes',
  text: `SELECT ${homeColumns} FROM listings l WHERE l.slug = ANY ($1) ORDER BY l.slug`,
};

/** Reads the homes with these slugs, sorted by slug. */
export async function readHomes(
  executor: Executor,
  slugs: readonly string[],
): Promise<StoredHome[]> {
  return (await executor.query<HomeRow>(bySlugStatement, [slugs])).map(storedHome);
}

const byIdStatement: Statement = {
  name: 'read-home',
  text: `SELECT ${homeColumns} FROM listings l WHERE l.listing_id = $1`,
};

/** Reads a home by its ID. */
export async function readHome(
  executor: Executor,
  listingId: string,
): Promise<StoredHome | undefined> {
  const [row] = await executor.query<HomeRow>(byIdStatement, [listingId]);
  return row && storedHome(row);
}

const changedStatement: Statement = {
  name: 'read-changed-homes',
  text: `SELECT ${homeColumns} FROM listings l
    WHERE (l.revision, l.listing_id) > ($1, $2::uuid) ORDER BY l.revision, l.listing_id LIMIT $3`,
};

const nilId = '00000000-0000-0000-0000-000000000000';
const maxId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
// A few milliseconds of work; the memory of a larger batch would also outlive the first garbage collections.
const batchSize = 100;

/** Reads the homes that have changed since a revision (0: all homes), in batches. */
export async function* readChangedHomes(
  executor: Executor,
  since: number,
): AsyncGenerator<StoredHome[]> {
  let after = { revision: since, listingId: since === 0 ? nilId : maxId };
  for (;;) {
    const values = [after.revision, after.listingId, batchSize];
    const rows = await executor.query<HomeRow>(changedStatement, values);
    if (rows.length > 0) yield rows.map(storedHome);
    const last = rows.at(-1);
    if (!last || rows.length < batchSize) return;
    after = { revision: last.revision, listingId: last.listing_id };
  }
}

const listingColumns = [
  'slug',
  'name',
  'description',
  'blurb',
  'time_zone',
  'destination',
  'sleeps',
  'bedrooms',
  'bathrooms',
  'check_in_from',
  'check_out_until',
  'images',
  'amenities',
  'policies',
  'spaces',
  'latitude',
  'longitude',
  'indexable',
  'currency',
  'nightly',
  'weekday_prices',
  'due_now_percent',
  'balance_days_before',
  'min_nights',
  'max_nights',
  'arrival_days',
  'departure_days',
  'advance_notice_days',
  'booking_horizon_days',
  'children_welcome',
  'infants_welcome',
  'max_pets',
] as const satisfies (keyof ListingRow)[];

// The columns of unique constraints are not assigned: that would lock the home against bookings, whose nights
// refer to it, until the import ends.
const assignedColumns = listingColumns.filter((column) => column !== 'slug');

const writeListingsStatement: Statement = {
  name: 'write-listings',
  text: `INSERT INTO listings (listing_id, revision, ${listingColumns.join(', ')})
    SELECT coalesce(listing_id, uuidv7()), $2, ${listingColumns.join(', ')}
    FROM json_populate_recordset(NULL::listings, $1)
    ON CONFLICT (slug) DO UPDATE SET revision = excluded.revision,
      ${assignedColumns.map((column) => `${column} = excluded.${column}`).join(', ')}
    RETURNING slug, listing_id`,
};

const tables = {
  seasons:
    'place, name, first_night, last_night, change_percent, nightly, weekday_prices, min_nights, arrival_days, priority',
  dated_rates: 'nights, nightly, min_nights, arrival_days',
  length_discounts: 'min_nights, label, percent',
  fees: 'place, label, kind, per, amount, from_guest, taxed',
  taxes:
    'place, label, taxed_parts, percent, per, amount, adults_only, max_nights, stays_up_to_nights',
  cancellation_rules: 'days_before, refund_percent',
} as const satisfies Record<keyof RuleRows, string>;

const tableNames = Object.keys(tables) as (keyof RuleRows)[];

const deleteRulesStatement: Statement = {
  name: 'delete-rules',
  text: `WITH ${tableNames
    .map((table) => `d_${table} AS (DELETE FROM ${table} WHERE listing_id = ANY ($1))`)
    .join(', ')} SELECT`,
};

const writeRulesStatement: Statement = {
  name: 'write-rules',
  text: `WITH ${tableNames
    .map(
      (table, at) => `w_${table} AS (
      INSERT INTO ${table} (listing_id, ${tables[table]}) SELECT listing_id, ${tables[table]}
      FROM json_populate_recordset(NULL::${table}, $${at + 1}))`,
    )
    .join(', ')} SELECT`,
};

type WrittenRow = Record<string, unknown>;

/** The rows of a table for several homes, with their listing and place. */
const rowsOf = (
  table: keyof RuleRows,
  homes: readonly { listingId: string; rows: RuleRows }[],
): WrittenRow[] =>
  homes.flatMap(({ listingId, rows }) =>
    rows[table].map((row, place): WrittenRow => ({ listing_id: listingId, place, ...row })),
  );

const asRange = ({ from, until, ...row }: WrittenRow): WrittenRow => ({
  ...row,
  nights: `[${from as string},${until as string})`,
});

/**
 * Inserts homes, or replaces those with the same slugs, with all their rules. Returns the IDs by slug.
 * Use it in a transaction that has raised the revision.
 */
export async function writeHomes(
  executor: Executor,
  homes: readonly WrittenHome[],
  revision: number,
): Promise<Map<string, string>> {
  const written = await executor.query<{ slug: string; listing_id: string }>(
    writeListingsStatement,
    [JSON.stringify(homes.map(listingRow)), revision],
  );
  const ids = new Map(written.map(({ slug, listing_id: id }) => [slug, id]));
  await executor.query(deleteRulesStatement, [[...ids.values()]]);
  const ruled = homes.map((home) => ({ listingId: ids.get(home.slug)!, rows: ruleRows(home) }));
  const values = tableNames.map((table) => {
    const rows = rowsOf(table, ruled);
    return JSON.stringify(table === 'dated_rates' ? rows.map(asRange) : rows);
  });
  await executor.query(writeRulesStatement, values);
  return ids;
}

const identityStatement: Statement = {
  name: 'listing-identities',
  text: 'SELECT slug, listing_id AS id, name FROM listings WHERE slug = ANY ($1) OR listing_id = ANY ($2)',
};

/** The slug and ID of a listing, which never change, and its name. */
export interface ListingIdentity {
  slug: string;
  id: string;
  name: string;
}

/** Reads the identities of the listings with one of these slugs or IDs. */
export const readIdentities = (
  executor: Executor,
  slugs: readonly string[],
  ids: readonly string[],
): Promise<ListingIdentity[]> => executor.query<ListingIdentity>(identityStatement, [slugs, ids]);

/** Finds a listing by slug or ID, as staff names it. */
export async function findListingBySlugOrId(
  executor: Executor,
  text: string,
): Promise<ListingIdentity | undefined> {
  const id = text.toLowerCase();
  const found = await readIdentities(executor, [text], isUuid(id) ? [id] : []);
  return found.find(({ slug }) => slug === text) ?? found[0];
}

const placesStatement: Statement = {
  name: 'read-catalog-places',
  text: `SELECT l.slug, cl.listing_id AS "listingId", cl.collection_id AS "collectionId", cl.position,
      cl.withdrawn_at IS NOT NULL AS withdrawn
    FROM catalog_listings cl JOIN listings l ON l.listing_id = cl.listing_id
    WHERE cl.catalog_id = $1 ORDER BY cl.position, cl.listing_id`,
};

/** A listing's place in one catalog. */
export interface CatalogPlace {
  slug: string;
  listingId: string;
  collectionId: string | null;
  position: number;
  /** No longer sold by this catalog. */
  withdrawn: boolean;
}

/** Reads the places of all listings of a catalog, withdrawn ones included, in their order. */
export const readPlaces = (executor: Executor, catalogId: string): Promise<CatalogPlace[]> =>
  executor.query<CatalogPlace>(placesStatement, [catalogId]);

const placeStatement: Statement = {
  name: 'find-catalog-place',
  text: `SELECT position, collection_id AS "collectionId" FROM catalog_listings
    WHERE listing_id = $1 AND catalog_id = $2`,
};

type KnownPlace = Pick<PlaceInCatalog, 'position' | 'collectionId'>;

/** Finds the place that a listing has in a catalog, or had before it was withdrawn. */
export async function findPlace(
  executor: Executor,
  catalogId: string,
  listingId: string,
): Promise<KnownPlace | undefined> {
  const [row] = await executor.query<KnownPlace>(placeStatement, [listingId, catalogId]);
  return row;
}

const withdrawnStatement: Statement = {
  name: 'list-withdrawn-listings',
  text: `SELECT l.listing_id AS "listingId", l.slug, l.name, l.destination,
      cl.collection_id AS "collectionId", cl.withdrawn_at AS "withdrawnAt", cl.withdrawn_at::text AS "exactlyAt"
    FROM catalog_listings cl
    JOIN listings l ON l.listing_id = cl.listing_id
    WHERE cl.catalog_id = $1 AND cl.withdrawn_at IS NOT NULL
      AND (cl.withdrawn_at, cl.listing_id) < (coalesce($2::timestamptz, 'infinity'), $3::uuid)
    ORDER BY cl.withdrawn_at DESC, cl.listing_id DESC LIMIT $4`,
};

/** A home that a catalog no longer sells. */
export interface WithdrawnListing {
  listingId: string;
  slug: string;
  name: string;
  destination: string | null;
  collectionId: string | null;
  withdrawnAt: EpochMs;
  /** `withdrawnAt` with all its digits. */
  exactlyAt: string;
}

/** Where the next page of withdrawn homes begins. */
export type WithdrawnPlace = Pick<WithdrawnListing, 'exactlyAt' | 'listingId'>;

/** Lists the homes that a catalog no longer sells, the latest first. */
export const listWithdrawn = (
  executor: Executor,
  catalogId: string,
  after: WithdrawnPlace | null,
  atMost: number,
): Promise<WithdrawnListing[]> =>
  executor.query<WithdrawnListing>(withdrawnStatement, [
    catalogId,
    after?.exactlyAt ?? null,
    after?.listingId ?? maxId,
    atMost,
  ]);

const nextPositionStatement: Statement = {
  name: 'next-catalog-position',
  text: `SELECT coalesce(max(position) + 1, 0) AS position FROM catalog_listings
    WHERE catalog_id = $1`,
};

/** The position after all listings of a catalog. */
export async function nextPosition(executor: Executor, catalogId: string): Promise<number> {
  const [row] = await executor.query<{ position: number }>(nextPositionStatement, [catalogId]);
  return row!.position;
}

const writePlacesStatement: Statement = {
  name: 'write-catalog-places',
  text: `WITH written AS (
      INSERT INTO catalog_listings (catalog_id, listing_id, collection_id, position)
      SELECT $1, "listingId", "collectionId", position
      FROM json_to_recordset($2) AS p ("listingId" uuid, "collectionId" uuid, position integer)
      ON CONFLICT (listing_id, catalog_id) DO UPDATE SET collection_id = excluded.collection_id,
        position = excluded.position, withdrawn_at = NULL
      RETURNING listing_id
    )
    UPDATE listings SET revision = $3
    WHERE listing_id = ANY (ARRAY(SELECT listing_id FROM written)) AND revision <> $3`,
};

/** Sells listings in a catalog at these places. */
export async function writePlaces(
  executor: Executor,
  catalogId: string,
  places: readonly Omit<PlaceInCatalog & { listingId: string }, 'catalogId'>[],
  revision: number,
): Promise<void> {
  await executor.query(writePlacesStatement, [catalogId, JSON.stringify(places), revision]);
}

const withdrawStatement: Statement = {
  name: 'withdraw-listings',
  text: `WITH withdrawn AS (
      UPDATE catalog_listings SET withdrawn_at = now()
      WHERE catalog_id = $1 AND listing_id = ANY ($2) AND withdrawn_at IS NULL
      RETURNING listing_id
    )
    UPDATE listings SET revision = $3
    WHERE listing_id = ANY (ARRAY(SELECT listing_id FROM withdrawn))`,
};

/** Withdraws listings from sale in a catalog; they keep their places. */
export async function withdrawListings(
  executor: Executor,
  catalogId: string,
  listingIds: readonly string[],
  revision: number,
): Promise<void> {
  await executor.query(withdrawStatement, [catalogId, listingIds, revision]);
}
