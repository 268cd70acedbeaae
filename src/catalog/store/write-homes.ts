import type { Executor } from '../../platform/postgres/database.ts';
import { noRows, valuesByKey } from '../../platform/postgres/statement-functions.ts';
import { changedParts } from '../changed-parts.ts';
import {
  type Home,
  homeMembers,
  listingColumns,
  listingRow,
  ruleRows,
  type RuleRows,
  type WrittenHome,
} from './listing-rows.ts';

// The columns of unique constraints are not assigned: that would lock the home against bookings, whose nights
// refer to it, until the import ends.
const assignedColumns = listingColumns.filter((column) => column !== 'slug');

// What the revision has changed, for the feed of changes.
const changeColumns = ['changed_kinds', 'changed_nights'] as const;
const writtenColumns = [...listingColumns, ...changeColumns];

/** Writes the rows of `listings` that a source has. Of a home that is new, nothing has changed. */
export const writeListings = (source: string, revision: string): string =>
  `INSERT INTO listings (listing_id, revision, changed_revision, ${writtenColumns.join(', ')})
    SELECT coalesce(listing_id, uuidv7()), ${revision}, CASE WHEN changed_kinds IS NOT NULL THEN ${revision} END,
      ${writtenColumns.join(', ')}
    FROM ${source}
    ON CONFLICT (slug) DO UPDATE SET revision = excluded.revision, changed_revision = excluded.changed_revision,
      ${[...assignedColumns, ...changeColumns].map((column) => `${column} = excluded.${column}`).join(', ')}`;

const writeListingRows = valuesByKey<[listings: string, revision: number], string, string>({
  name: 'write-listings',
  text: `${writeListings('json_populate_recordset(NULL::listings, $1)', '$2::bigint')}
    RETURNING slug, listing_id`,
});

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

/** The tables of what homes have in several rows. */
export const tableNames = Object.keys(tables) as (keyof RuleRows)[];

/** Deletes the rules of homes; `homes` compares their ID. */
export const deleteRules = (homes: string): string =>
  `WITH ${tableNames
    .map((table) => `d_${table} AS (DELETE FROM ${table} WHERE listing_id ${homes})`)
    .join(', ')} SELECT`;

const deleteRulesOf = noRows<[listingIds: readonly string[]]>({
  name: 'delete-rules',
  text: deleteRules('= ANY ($1)'),
});

/** Writes rules of homes; `source` is where the JSON of a table is. */
export const writeRules = (source: (table: keyof RuleRows, at: number) => string): string =>
  `WITH ${tableNames
    .map(
      (table, at) => `w_${table} AS (
      INSERT INTO ${table} (listing_id, ${tables[table]}) SELECT listing_id, ${tables[table]}
      FROM ${source(table, at)})`,
    )
    .join(', ')} SELECT`;

const writeRuleRows = noRows<string[]>({
  name: 'write-rules',
  text: writeRules((table, at) => `json_populate_recordset(NULL::${table}, $${at + 1})`),
});

/** Writes what homes have besides their columns, and removes what those have no longer that `unsaid` selects. */
export const writeMembers = (unsaid: string, members: string): string =>
  `WITH unsaid AS (DELETE FROM listing_members o WHERE ${unsaid})
    INSERT INTO listing_members (listing_id, members, preparation_nights)
    SELECT m.* FROM ${members}
    ON CONFLICT (listing_id) DO UPDATE SET members = excluded.members,
      preparation_nights = excluded.preparation_nights`;

const writeMemberRows = noRows<
  [listingIds: readonly string[], ...stated: ReturnType<typeof membersOf>]
>({
  name: 'write-listing-members',
  text: writeMembers(
    'o.listing_id = ANY ($1::uuid[]) AND o.listing_id <> ALL ($2::uuid[])',
    'unnest($2::uuid[], $3::json[], $4::integer[]) m',
  ),
});

type WrittenRow = Record<string, unknown>;

/** The rows of a table for several homes, with their listing and place. */
const rowsOf = (
  table: keyof RuleRows,
  homes: readonly { listingId: string; rows: RuleRows }[],
): WrittenRow[] =>
  homes.flatMap(({ listingId, rows }) =>
    rows[table].map((row, index): WrittenRow => ({ listing_id: listingId, place: index, ...row })),
  );

const asRange = ({ from, until, ...row }: WrittenRow): WrittenRow => ({
  ...row,
  nights: `[${from as string},${until as string})`,
});

/** What changes in a home; unknown, if the home before is. */
function changeRow(home: WrittenHome, before: Home | undefined): WrittenRow {
  if (!before) return {};
  const { kinds, nights } = changedParts(before, home);
  return { changed_kinds: kinds, changed_nights: nights && `[${nights.from},${nights.until})` };
}

/** The rows of homes in `listings`, as JSON. */
export const listingsJson = (
  homes: readonly WrittenHome[],
  before: ReadonlyMap<string, Home>,
): string =>
  JSON.stringify(
    homes.map((home) => ({ ...listingRow(home), ...changeRow(home, before.get(home.slug)) })),
  );

/** The rows of homes in the tables of rules, as JSON. */
export function rulesJson(
  homes: readonly WrittenHome[],
  ids: ReadonlyMap<string, string>,
): string[] {
  const ruled = homes.map((home) => ({ listingId: ids.get(home.slug)!, rows: ruleRows(home) }));
  return tableNames.map((table) => {
    const rows = rowsOf(table, ruled);
    return JSON.stringify(table === 'dated_rates' ? rows.map(asRange) : rows);
  });
}

/** What homes have besides their columns: IDs, members, nights of preparation. */
export function membersOf(
  homes: readonly WrittenHome[],
  ids: ReadonlyMap<string, string>,
): [string[], string[], number[]] {
  const stated = homes.flatMap((home) => {
    const members = homeMembers(home);
    return members === null ? [] : [{ listingId: ids.get(home.slug)!, home, members }];
  });
  return [
    stated.map(({ listingId }) => listingId),
    stated.map(({ members }) => JSON.stringify(members)),
    stated.map(({ home }) => home.stayRules.preparationNights ?? 0),
  ];
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
  const ids = await writeListingRows(executor, listingsJson(homes, before), revision);
  const listingIds = [...ids.values()];
  await deleteRulesOf(executor, listingIds);
  await writeRuleRows(executor, ...rulesJson(homes, ids));
  await writeMemberRows(executor, listingIds, ...membersOf(homes, ids));
  return ids;
}
