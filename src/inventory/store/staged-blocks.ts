/** Blocks of a file in a temporary table, so that a file of any size needs little memory. */

import { nilUuid } from '../../platform/uuid.ts';
import type { ImportedBlock, SomeBlocks, StagedBlock } from '../../catalog/index.ts';
import { columnsOf } from '../../platform/postgres/columns.ts';
import type { Executor, Statement } from '../../platform/postgres/database.ts';
import { noRows } from '../../platform/postgres/statement-functions.ts';
import { lockedHomes } from './lock-homes.ts';

/** Creates the table, until the end of the transaction. */
export const createStagedBlocks = noRows({
  name: 'create-staged-blocks',
  text: `CREATE TEMPORARY TABLE staged_blocks (
      listing_id uuid, at integer, line integer, nights daterange, reason text,
      PRIMARY KEY (listing_id, at)
    ) ON COMMIT DROP`,
});

/** Adds blocks to the table. */
export const stageBlocks = noRows<[blocks: readonly StagedBlock[]]>({
  name: 'stage-blocks',
  text: `INSERT INTO staged_blocks (listing_id, at, line, nights, reason)
    SELECT listing_id, at, line, daterange(first, after_last), reason
    FROM unnest($1::uuid[], $2::integer[], $3::integer[], $4::date[], $5::date[], $6::text[])
      AS s (listing_id, at, line, first, after_last, reason)`,
  values: (blocks) => columnsOf(blocks, 'listingId', 'at', 'line', 'from', 'to', 'reason'),
});

// The group is chosen before anything else is looked at, and each of its blocks is looked up by itself: an anti join
// would read the occupancies from the beginning for each group. OFFSET keeps the lookup from becoming one.
const readStatement: Statement = {
  name: 'read-staged-blocks',
  text: `WITH part AS MATERIALIZED (
      SELECT * FROM staged_blocks WHERE (listing_id, at) > ($1, $2) ORDER BY listing_id, at LIMIT $3
    ), looked_up AS MATERIALIZED (
      SELECT s.*, NOT EXISTS (
        SELECT FROM occupancies o
        WHERE o.kind = 'block' AND o.listing_id = s.listing_id AND lower(o.nights) = lower(s.nights)
          AND o.nights = s.nights
          AND (o.source = 'staff' OR o.source = 'file' AND o.reason IS NOT DISTINCT FROM s.reason)
        OFFSET 0) AS is_new
      FROM part s
    )
    SELECT listing_id AS "listingId", at, line, lower(nights) AS from, upper(nights) AS to, reason,
      is_new AS "isNew", (SELECT count(*)::integer FROM part) AS size
    FROM looked_up
    WHERE is_new OR (listing_id, at) = (SELECT listing_id, at FROM part ORDER BY listing_id DESC, at DESC LIMIT 1)
    ORDER BY listing_id, at`,
};

/** The blocks of a group that matter, and its last one, which says where the next begins. */
interface StagedRow extends StagedBlock {
  isNew: boolean;
  /** Of the group. */
  size: number;
}

const usualGroupSize = 5_000;

/** Reads the blocks that are new, have a new reason, or are only a channel's, in groups by the ID of the listing. */
export async function* readStagedBlocks(
  executor: Executor,
  groupSize = usualGroupSize,
): AsyncGenerator<StagedBlock[]> {
  let last: { listingId: string; at: number } | undefined = {
    listingId: nilUuid,
    at: -1,
  };
  while (last) {
    const values: unknown[] = [last.listingId, last.at, groupSize];
    const rows: StagedRow[] = await executor.query<StagedRow>(readStatement, values);
    const group = rows
      .filter(({ isNew }) => isNew)
      .map(({ isNew: _, size: __, ...block }): StagedBlock => block);
    if (group.length > 0) yield group;
    const end = rows.at(-1);
    last = end && end.size === groupSize ? end : undefined;
  }
}

const removeStatement: Statement = {
  name: 'remove-other-blocks',
  text: `WITH others AS MATERIALIZED (
      SELECT o.occupancy_id, o.listing_id FROM occupancies o, catalog_listings cl
      WHERE cl.catalog_id = $1 AND cl.listing_id = o.listing_id
        AND (cl.withdrawn_at IS NULL OR NOT EXISTS (SELECT FROM catalog_listings other
          WHERE other.listing_id = o.listing_id AND other.withdrawn_at IS NULL))
        AND o.kind = 'block' AND o.source = 'file'
        AND NOT EXISTS (SELECT FROM staged_blocks s
          WHERE s.listing_id = o.listing_id AND s.nights = o.nights)
    ), locked AS (${lockedHomes('SELECT listing_id FROM others')}
    ), removed AS (
      DELETE FROM occupancies o USING (SELECT count(*) FROM locked) waited
      WHERE o.occupancy_id = ANY (ARRAY(SELECT occupancy_id FROM others))
      RETURNING o.listing_id AS "listingId", lower(o.nights) AS from, upper(o.nights) AS to, o.reason)
    SELECT (SELECT count(*) FROM removed), f.* FROM (SELECT * FROM removed LIMIT $2) f`,
};

/**
 * Removes the blocks from files that are not in the table: of the listings that a catalog sells, and of those
 * that it sold and nobody sells any more. Returns some of them, because there may be millions.
 */
export async function removeOtherBlocks(
  executor: Executor,
  catalogId: string,
  described: number,
): Promise<SomeBlocks> {
  const rows = await executor.query<ImportedBlock & { count: number }>(removeStatement, [
    catalogId,
    described,
  ]);
  return { count: rows[0]?.count ?? 0, first: rows.map(({ count: _, ...block }) => block) };
}
