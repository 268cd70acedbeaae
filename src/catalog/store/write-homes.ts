import type { Executor, Statement } from '../../platform/postgres/database.ts';
import { changedParts } from '../changed-parts.ts';
import {
  type Home,
  homeMembers,
  listingRow,
  ruleRows,
  type ListingRow,
  type RuleRows,
  type WrittenHome,
} from './listing-rows.ts';

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

// What the revision has changed, for the feed of changes.
const changeColumns = ['changed_revision', 'changed_kinds', 'changed_nights'] as const;

const writeListingsStatement: Statement = {
  name: 'write-listings',
  text: `INSERT INTO listings (listing_id, revision, ${[...listingColumns, ...changeColumns].join(', ')})
    SELECT coalesce(listing_id, uuidv7()), $2, ${[...listingColumns, ...changeColumns].join(', ')}
    FROM json_populate_recordset(NULL::listings, $1)
    ON CONFLICT (slug) DO UPDATE SET revision = excluded.revision,
      ${[...assignedColumns, ...changeColumns].map((column) => `${column} = excluded.${column}`).join(', ')}
    RETURNING slug, listing_id`,
};

const tables = {
  seasons:
    'place, name, first_night, last_night, change_percent, nightly, weekday_prices, min_nights, arrival_days, priority, members',
  dated_rates: 'nights, nightly, min_nights, arrival_days, members',
  length_discounts: 'min_nights, label, percent, amount',
  fees: 'place, label, kind, per, amount, from_guest, taxed, members',
  taxes:
    'place, label, taxed_parts, percent, per, amount, adults_only, max_nights, stays_up_to_nights, members',
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

const writeMembersStatement: Statement = {
  name: 'write-listing-members',
  text: `WITH unsaid AS (
      DELETE FROM listing_members WHERE listing_id = ANY ($1::uuid[]) AND listing_id <> ALL ($2::uuid[])
    )
    INSERT INTO listing_members (listing_id, members, preparation_nights)
    SELECT * FROM unnest($2::uuid[], $3::json[], $4::integer[])
    ON CONFLICT (listing_id) DO UPDATE SET members = excluded.members,
      preparation_nights = excluded.preparation_nights`,
};

/** Writes what homes have besides their columns. */
async function writeMembers(
  executor: Executor,
  homes: readonly WrittenHome[],
  ids: ReadonlyMap<string, string>,
): Promise<void> {
  const stated = homes.flatMap((home) => {
    const members = homeMembers(home);
    return members === null ? [] : [{ listingId: ids.get(home.slug)!, home, members }];
  });
  await executor.query(writeMembersStatement, [
    [...ids.values()],
    stated.map(({ listingId }) => listingId),
    stated.map(({ members }) => JSON.stringify(members)),
    stated.map(({ home }) => home.stayRules.preparationNights ?? 0),
  ]);
}

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

/** What a revision changes in a home; unknown, if the home before is. */
function changeRow(home: WrittenHome, before: Home | undefined, revision: number): WrittenRow {
  if (!before) return {};
  const { kinds, nights } = changedParts(before, home);
  return {
    changed_revision: revision,
    changed_kinds: kinds,
    changed_nights: nights && `[${nights.from},${nights.until})`,
  };
}

/**
 * Inserts homes, or replaces those with the same slugs, with all their rules. Returns the IDs by slug.
 * Use it in a transaction that has raised the revision.
 *
 * @param before the homes as they are, by slug, read while the catalog is locked
 */
export async function writeHomes(
  executor: Executor,
  homes: readonly WrittenHome[],
  before: ReadonlyMap<string, Home>,
  revision: number,
): Promise<Map<string, string>> {
  const listingRows = homes.map((home) => ({
    ...listingRow(home),
    ...changeRow(home, before.get(home.slug), revision),
  }));
  const written = await executor.query<{ slug: string; listing_id: string }>(
    writeListingsStatement,
    [JSON.stringify(listingRows), revision],
  );
  const ids = new Map(written.map(({ slug, listing_id: id }) => [slug, id]));
  await executor.query(deleteRulesStatement, [[...ids.values()]]);
  const ruled = homes.map((home) => ({ listingId: ids.get(home.slug)!, rows: ruleRows(home) }));
  const values = tableNames.map((table) => {
    const rows = rowsOf(table, ruled);
    return JSON.stringify(table === 'dated_rates' ? rows.map(asRange) : rows);
  });
  await executor.query(writeRulesStatement, values);
  await writeMembers(executor, homes, ids);
  return ids;
}
