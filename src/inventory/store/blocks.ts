import { nilUuid } from '../../platform/uuid.ts';
import type { EpochMs } from '../../contract/time.ts';
import type { Executor, Statement } from '../../platform/postgres/database.ts';
import { oneRow } from '../../platform/postgres/statement-functions.ts';
import { lockHomes } from './lock-homes.ts';

/** Where a block comes from: a catalog file or CSV, staff, the calendar of another channel, or an outside stay. */
export type BlockSource = 'file' | 'staff' | 'channel' | 'outside';

/** Nights that nobody can book. `from` is the first of them, `to` the day after the last: `YYYY-MM-DD`. */
export interface NewBlock {
  listingId: string;
  from: string;
  to: string;
  reason: string | null;
  source: BlockSource;
}

/** A stored block. */
export interface Block extends NewBlock {
  blockId: string;
  createdAt: EpochMs;
}

/**
 * A block after `addBlocks`. `changed`: a block of the same nights existed, either from the same source with
 * another reason, or from the calendar of a channel, which now no longer frees it. `unchanged`: it existed; a
 * block of another source keeps its reason.
 */
export interface AddedBlock {
  blockId: string;
  change: 'added' | 'changed' | 'unchanged';
  /** What it was; absent: it has not changed. */
  before?: Pick<NewBlock, 'reason' | 'source'>;
}

/** A stay or block that has nights of a new block. A confirmed stay is identified by its reference. */
export type TakenNights = { from: string; to: string } & (
  | { kind: 'held'; attemptId: string }
  | { kind: 'confirmed'; attemptId: string; reference: string }
  | { kind: 'block'; blockId: string; source: BlockSource; reason: string | null }
);

/** A new block that cannot be added, with everything that has nights of it, by date. */
export interface BlockCollision {
  /** Which of the blocks that were to be added it is, from 0. */
  index: number;
  block: NewBlock;
  taken: TakenNights[];
}

/** The result of `addBlocks`: the blocks in the order in which they were passed, or all collisions. */
export type AddedBlocks =
  | { outcome: 'added'; blocks: AddedBlock[] }
  | { outcome: 'taken'; collisions: BlockCollision[] };

const insertStatement: Statement = {
  name: 'insert-blocks',
  text: `INSERT INTO occupancies (listing_id, nights, kind, source, reason)
    SELECT listing_id, daterange(first, after_last), 'block', source, reason
    FROM unnest($1::uuid[], $2::date[], $3::date[], $4::text[], $5::text[])
      AS asked (listing_id, first, after_last, source, reason)
    ORDER BY listing_id, first
    ON CONFLICT DO NOTHING
    RETURNING occupancy_id AS "blockId", listing_id AS "listingId", lower(nights) AS from,
      upper(nights) AS to`,
};

const collisionStatement: Statement = {
  name: 'find-collisions',
  text: `SELECT asked.ordinal, o.occupancy_id AS id, o.kind, lower(o.nights) AS from,
      upper(o.nights) AS to, o.reference, o.source, o.reason
    FROM unnest($1::uuid[], $2::date[], $3::date[]) WITH ORDINALITY
      AS asked (listing_id, first, after_last, ordinal)
    CROSS JOIN LATERAL (
      SELECT * FROM occupancies WHERE listing_id = asked.listing_id
        AND nights && daterange(asked.first, asked.after_last) OFFSET 0) o
    ORDER BY asked.ordinal, lower(o.nights)`,
};

interface CollisionRow {
  ordinal: number;
  id: string;
  kind: 'held' | 'confirmed' | 'block';
  from: string;
  to: string;
  reference: string | null;
  source: BlockSource | null;
  reason: string | null;
}

// While this waited, the calendar may have freed the nights. Its event is a conflict from now on: the nights are
// blocked again when this block ends, and the calendar is read completely, also if it has not changed.
const takeOverStatement: Statement = {
  name: 'take-over-channel-blocks',
  // Locks calendars first, as their refresh does: another order could end in a deadlock of an import and staff.
  text: `WITH locked AS (
      SELECT calendar_id FROM channel_calendars
      WHERE calendar_id = ANY (ARRAY(
        SELECT calendar_id FROM occupancies WHERE occupancy_id = ANY ($1::uuid[])))
      ORDER BY calendar_id FOR NO KEY UPDATE
    ), taken AS (
      UPDATE occupancies o SET source = asked.source, reason = asked.reason, calendar_id = NULL, event_uid = NULL
      FROM unnest($1::uuid[], $2::text[], $3::text[]) AS asked (block_id, source, reason),
        (SELECT count(*) FROM locked) AS waited
      WHERE o.occupancy_id = ANY ($1::uuid[]) AND o.occupancy_id = asked.block_id AND o.source = 'channel'
      RETURNING o.occupancy_id AS "blockId", o.nights, old.calendar_id, old.event_uid
    ), conflicting AS (
      INSERT INTO channel_conflicts (calendar_id, nights, event_uid, occupancy_id, kind)
      SELECT calendar_id, nights, event_uid, "blockId", 'block' FROM taken
      WHERE calendar_id IS NOT NULL ON CONFLICT DO NOTHING
    )
    SELECT "blockId" FROM taken`,
};

const reasonStatement: Statement = {
  name: 'change-block-reasons',
  text: `UPDATE occupancies o SET reason = asked.reason
    FROM unnest($1::uuid[], $2::text[]) AS asked (block_id, reason)
    WHERE o.occupancy_id = ANY ($1::uuid[]) AND o.occupancy_id = asked.block_id`,
};

/** A block to add, and the result. */
interface Adding {
  index: number;
  block: NewBlock;
  result: AddedBlock | null;
  taken: TakenNights[];
}

type Nights = Pick<NewBlock, 'listingId' | 'from' | 'to'>;

const nightsKey = ({ listingId, from, to }: Nights): string => `${listingId} ${from} ${to}`;

const columnsOf = (adding: readonly Adding[]): [string[], string[], string[]] => [
  adding.map(({ block }) => block.listingId),
  adding.map(({ block }) => block.from),
  adding.map(({ block }) => block.to),
];

async function insertFree(executor: Executor, adding: readonly Adding[]): Promise<void> {
  const rows = await executor.query<Nights & { blockId: string }>(insertStatement, [
    ...columnsOf(adding),
    adding.map(({ block }) => block.source),
    adding.map(({ block }) => block.reason),
  ]);
  const added = new Map(rows.map((row) => [nightsKey(row), row.blockId]));
  for (const one of adding) {
    const key = nightsKey(one.block);
    const blockId = added.get(key);
    if (blockId === undefined) continue;
    // The same nights twice: only the first is new.
    added.delete(key);
    one.result = { blockId, change: 'added' };
  }
}

function takenBy(row: CollisionRow): TakenNights {
  const { id, kind, from, to, reference, source, reason } = row;
  if (kind === 'block') return { kind, blockId: id, from, to, source: source!, reason };
  if (kind === 'held') return { kind, attemptId: id, from, to };
  return { kind, attemptId: id, from, to, reference: reference! };
}

/** Reads what has nights of a listing between two dates (half-open), by date. */
export async function readTakenNights(
  executor: Executor,
  { listingId, from, to }: Nights,
): Promise<TakenNights[]> {
  const rows = await executor.query<CollisionRow>(collisionStatement, [[listingId], [from], [to]]);
  return rows.map(takenBy);
}

const isSame = (block: NewBlock, other: TakenNights): boolean =>
  other.kind === 'block' &&
  other.source !== 'outside' &&
  other.from === block.from &&
  other.to === block.to;

const resultOf = (block: NewBlock, found: TakenNights & { kind: 'block' }): AddedBlock => {
  const { blockId, reason, source } = found;
  return source === block.source && reason !== block.reason
    ? { blockId, change: 'changed', before: { reason, source } }
    : { blockId, change: 'unchanged' };
};

/** Whether the new block takes over the nights of a channel: the channel may free them at any time. */
const isToTakeOver = (block: NewBlock, found: TakenNights & { kind: 'block' }): boolean =>
  found.source === 'channel' && block.source !== 'channel';

/** A block of a channel that becomes the caller's. */
interface TakenOver {
  one: Adding;
  before: Pick<NewBlock, 'reason' | 'source'>;
}

/** Makes blocks of channels blocks of the callers. A block that the channel has freed meanwhile stays open. */
async function takeOver(executor: Executor, blocks: ReadonlyMap<string, TakenOver>): Promise<void> {
  if (blocks.size === 0) return;
  const adding = [...blocks.values()].map(({ one }) => one);
  const taken = await executor.query<{ blockId: string }>(takeOverStatement, [
    [...blocks.keys()],
    adding.map(({ block }) => block.source),
    adding.map(({ block }) => block.reason),
  ]);
  for (const { blockId } of taken) {
    const { one, before } = blocks.get(blockId)!;
    one.result = { blockId, change: 'changed', before };
  }
}

/** Finds why blocks were not inserted: the same block, or a collision. */
async function explain(executor: Executor, adding: readonly Adding[]): Promise<void> {
  const rows = await executor.query<CollisionRow>(collisionStatement, columnsOf(adding));
  const byOrdinal = Map.groupBy(rows, ({ ordinal }) => ordinal);
  const ofChannels = new Map<string, TakenOver>();
  for (const [index, one] of adding.entries()) {
    one.taken = (byOrdinal.get(index + 1) ?? []).map(takenBy);
    const [first] = one.taken;
    if (first?.kind !== 'block' || !isSame(one.block, first)) continue;
    one.taken = [];
    const { reason, source } = first;
    if (isToTakeOver(one.block, first))
      ofChannels.set(first.blockId, { one, before: { reason, source } });
    else one.result = resultOf(one.block, first);
  }
  await takeOver(executor, ofChannels);
}

async function changeReasons(executor: Executor, adding: readonly Adding[]): Promise<void> {
  const changed = adding.filter(({ result }) => result?.change === 'changed');
  if (changed.length === 0) return;
  await executor.query(reasonStatement, [
    changed.map(({ result }) => result!.blockId),
    changed.map(({ block }) => block.reason),
  ]);
}

const isOpen = ({ result, taken }: Adding): boolean => result === null && taken.length === 0;

/** Adds blocks, also those whose nights become free meanwhile. */
async function addGroup(executor: Executor, adding: readonly Adding[]): Promise<void> {
  if (adding.length > 1) {
    await lockHomes(executor, [...new Set(adding.map(({ block }) => block.listingId))]);
  }
  for (let open = adding; open.length > 0; open = open.filter(isOpen)) {
    await insertFree(executor, open);
    const rest = open.filter(isOpen);
    if (rest.length > 0) await explain(executor, rest);
  }
  await changeReasons(executor, adding);
}

const groupAtMost = 1_000;

const byNights = (one: Adding, other: Adding): number =>
  nightsKey(one.block) < nightsKey(other.block) ? -1 : 1;

/**
 * Adds blocks. An existing block of the same nights is not a collision.
 *
 * Call it in a transaction, and roll back if there are collisions: the other blocks are inserted by then. If
 * a transaction calls it several times, it first calls `lockCatalog`: only one such transaction runs at once.
 * Spec: OPERATOR-9.
 */
export async function addBlocks(
  executor: Executor,
  blocks: readonly NewBlock[],
): Promise<AddedBlocks> {
  const adding = blocks.map((block, index): Adding => ({ index, block, result: null, taken: [] }));
  const inOrder = adding.toSorted(byNights);
  for (let from = 0; from < inOrder.length; from += groupAtMost) {
    await addGroup(executor, inOrder.slice(from, from + groupAtMost));
  }
  const collisions = adding
    .filter(({ result }) => result === null)
    .map(({ index, block, taken }) => ({ index, block, taken }));
  if (collisions.length > 0) return { outcome: 'taken', collisions };
  return { outcome: 'added', blocks: adding.map(({ result }) => result!) };
}

const blockColumns = `occupancy_id AS "blockId", listing_id AS "listingId", lower(nights) AS from,
      upper(nights) AS to, reason, source, created_at AS "createdAt"`;

/** Removes a block and returns it. Undefined: there is none with this ID, or it is of a channel's calendar. */
export const removeBlock = oneRow<[blockId: string], Block>({
  name: 'remove-block',
  // Only blocks have a source. A condition on `kind` lets a plan read the index of all blocks instead.
  text: `DELETE FROM occupancies WHERE occupancy_id = $1 AND source IS NOT NULL AND calendar_id IS NULL
      AND outside_stay_id IS NULL
    RETURNING ${blockColumns}`,
});

const pageOfBlocks = (condition: string): string => `SELECT ${blockColumns} FROM occupancies
    WHERE kind = 'block' AND outside_stay_id IS NULL AND (listing_id, lower(nights)) > ($1::uuid, $2::date)${condition}
    ORDER BY listing_id, lower(nights) LIMIT $3`;

const listStatement: Statement = { name: 'list-blocks', text: pageOfBlocks('') };

const listOfListingsStatement: Statement = {
  name: 'list-blocks-of-listings',
  text: pageOfBlocks(' AND listing_id = ANY ($4::uuid[])'),
};

/** Which blocks to list. */
export interface BlockFilter {
  /** Only blocks of these listings. Absent: of all. */
  listingIds?: readonly string[];
  /** Only blocks after this one, in the order of the list. Absent: from the start. */
  after?: Pick<Block, 'listingId' | 'from'>;
  atMost: number;
}

const start = { listingId: nilUuid, from: '-infinity' };

/** Lists blocks by the ID of the listing, then by date. */
export function listBlocks(
  executor: Executor,
  { listingIds, after = start, atMost }: BlockFilter,
): Promise<Block[]> {
  const page = [after.listingId, after.from, atMost];
  if (!listingIds) return executor.query<Block>(listStatement, page);
  return executor.query<Block>(listOfListingsStatement, [...page, listingIds]);
}
