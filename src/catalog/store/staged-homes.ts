/** Homes of an import, set aside until all of them are written at once. */
import type { Executor, Statement } from '../../platform/postgres/database.ts';
import { noRows } from '../../platform/postgres/statement-functions.ts';
import type { Home, WrittenHome } from './listing-rows.ts';
import {
  deleteRules,
  listingsJson,
  membersOf,
  rulesJson,
  tableNames,
  writeListings,
  writeMembers,
  writeRules,
} from './write-homes.ts';

/** Homes are compared and staged in slices of this cost, which take a few milliseconds. */
export const costOfSlice = 5_000;

/** To compare a home costs about as much as so many of its dates. */
export const costOfHome = 50;

/** Creates the table of staged homes, until the end of the transaction. */
export const createStagedHomes = noRows({
  name: 'create-staged-homes',
  // One row for each slice, as the statements above take it.
  text: `CREATE TEMPORARY TABLE staged_homes (
      replaced uuid[], listings json, ${tableNames.map((table) => `${table} json`).join(', ')},
      stated uuid[], members json[], preparation_nights integer[]
    ) ON COMMIT DROP`,
});

const stageStatement: Statement = {
  name: 'stage-homes',
  text: `INSERT INTO staged_homes VALUES ($1, $2, ${tableNames.map((_, at) => `$${at + 3}`).join(', ')},
      $${tableNames.length + 3}, $${tableNames.length + 4}, $${tableNames.length + 5})`,
};

const newIdsStatement: Statement = {
  name: 'new-listing-ids',
  text: 'SELECT uuidv7() AS id FROM generate_series(1, $1::integer)',
};

/** Gives homes without an ID a new one. */
async function withIds(
  executor: Executor,
  homes: readonly WrittenHome[],
): Promise<(WrittenHome & { listingId: string })[]> {
  const count = homes.filter(({ listingId }) => listingId === null).length;
  const ids = count === 0 ? [] : await executor.query<{ id: string }>(newIdsStatement, [count]);
  let next = 0;
  return homes.map((home) => ({ ...home, listingId: home.listingId ?? ids[next++]!.id }));
}

/**
 * Sets a slice of homes aside, which nobody sees and which keeps nobody waiting. Returns the IDs by slug.
 *
 * @param before the homes as they are, by slug
 */
export async function stageHomes(
  executor: Executor,
  homes: readonly WrittenHome[],
  before: ReadonlyMap<string, Home>,
): Promise<Map<string, string>> {
  const staged = await withIds(executor, homes);
  const ids = new Map(staged.map(({ slug, listingId }) => [slug, listingId]));
  const replaced = staged.filter(({ slug }) => before.has(slug)).map(({ listingId }) => listingId);
  await executor.query(stageStatement, [
    replaced,
    listingsJson(staged, before),
    ...rulesJson(staged, ids),
    ...membersOf(staged, ids),
  ]);
  return ids;
}

const applyStatements: readonly [listings: Statement, ...rest: Statement[]] = [
  {
    name: 'write-staged-listings',
    text: writeListings(
      '(SELECT l.* FROM staged_homes s, json_populate_recordset(NULL::listings, s.listings) l) l',
      '$1::bigint',
    ),
  },
  {
    name: 'delete-rules-of-staged',
    text: deleteRules('IN (SELECT unnest(replaced) FROM staged_homes)'),
  },
  {
    name: 'write-staged-rules',
    text: writeRules(
      (table) =>
        `(SELECT r.* FROM staged_homes s, json_populate_recordset(NULL::${table}, s.${table}) r) r`,
    ),
  },
  {
    name: 'write-staged-members',
    // Joins, because a list of all homes would be looked through for each of them.
    text: writeMembers(
      `o.listing_id IN (SELECT unnest(replaced) FROM staged_homes)
        AND NOT EXISTS (SELECT FROM staged_homes s, unnest(s.stated) AS named WHERE named = o.listing_id)`,
      'staged_homes s, unnest(s.stated, s.members, s.preparation_nights) m',
    ),
  },
];

/** Writes all staged homes. Use it while the catalog is locked, and nothing has changed since they were compared. */
export async function writeStagedHomes(executor: Executor, revision: number): Promise<void> {
  const [listings, ...rest] = applyStatements;
  await executor.query(listings, [revision]);
  for (const statement of rest) await executor.query(statement);
}
