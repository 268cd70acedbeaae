/** Blocks by staff: added, listed and removed, one by one or from a spreadsheet. */

import {
  invalidMember,
  noSuch,
  OperatorRefusal,
  pageForStaff,
  type PageOfStaff,
  type PageRequest,
} from '../access/index.ts';
import {
  datesProblems,
  findListingBySlugOrId,
  findSlugs,
  type ListingIdentity,
  lockCatalog,
} from '../catalog/index.ts';
import type { Environment } from '../contract/wire.ts';
import { auditedChange } from '../platform/audit/audited-change.ts';
import { insertAuditEntry } from '../platform/audit/audit-entries.ts';
import { firstChanges } from '../platform/audit/first-changes.ts';
import {
  readCsv,
  soundLines,
  type CsvColumns,
  type CsvImportOptions,
  type CsvProblem,
} from '../platform/csv.ts';
import type { Database, Executor } from '../platform/postgres/database.ts';
import { longTransaction } from '../platform/postgres/long-transaction.ts';
import { collisionText } from './import-blocks.ts';
import { addBlocks, listBlocks, removeBlock, type Block, type NewBlock } from './store/blocks.ts';
import { findCalendarOfBlock } from './store/channel-nights.ts';

/** The longest reason of a block. */
export const blockReasonLength = 500;

/** Refuses what the simulation does not have, because it invents its nights. Throws `OperatorRefusal`. */
export function refuseInventedNights(environment: Environment, what: string): void {
  if (environment !== 'simulation') return;
  throw new OperatorRefusal(`The simulation invents its nights: it has no ${what}.`);
}

/** A block as staff name it. */
export interface BlockInput {
  /** Slug or ID. */
  listing: string;
  from: string;
  to: string;
  reason: string | null;
}

/** Finds a home as staff name it, by slug or ID. Throws `OperatorRefusal`. */
export async function listingFor(executor: Executor, text: string): Promise<ListingIdentity> {
  const listing = await findListingBySlugOrId(executor, text);
  if (!listing) throw noSuch(`There is no listing "${text}".`);
  return listing;
}

/** Blocks nights of a home. The same nights again are nothing new. Throws `OperatorRefusal`. */
export async function blockNights(
  database: Database,
  actor: string,
  { listing: text, from, to, reason }: BlockInput,
): Promise<{ blockId: string }> {
  if (to <= from) {
    const field = { path: '/to', message: 'must be after the first night' };
    throw invalidMember(field, `The day ${to} is not after ${from}.`);
  }
  const { blockId } = await auditedChange(
    database,
    async (executor) => {
      const { slug, id: listingId } = await listingFor(executor, text);
      const block: NewBlock = { listingId, from, to, reason, source: 'staff' };
      const result = await addBlocks(executor, [block]);
      if (result.outcome === 'taken') {
        throw new OperatorRefusal(
          `The nights ${from} to ${to} of ${slug} are not free: the block ${collisionText(result.collisions[0]!)}.`,
        );
      }
      return { ...result.blocks[0]!, slug };
    },
    ({ blockId: id, change, before, slug }) =>
      change === 'unchanged'
        ? []
        : {
            actor,
            action: 'block.add',
            applicationId: null,
            details: { blockId: id, listing: slug, from, to, reason, ...(before && { before }) },
          },
  );
  return { blockId };
}

/** Removes a block that does not come from a channel's calendar. Throws `OperatorRefusal`. */
export async function unblockNights(
  database: Database,
  actor: string,
  blockId: string,
): Promise<Block> {
  const block = await auditedChange(
    database,
    (executor) => removeBlock(executor, blockId),
    ({ listingId, from, to, reason, source }) => ({
      actor,
      action: 'block.remove',
      applicationId: null,
      details: { blockId, listingId, from, to, reason, source },
    }),
  );
  if (block) return block;
  const calendarId = await findCalendarOfBlock(database, blockId);
  if (calendarId === undefined) throw noSuch(`There is no block ${blockId}.`);
  throw new OperatorRefusal(
    `The block ${blockId} comes from the channel calendar ${calendarId}, which would block the nights again: change them there, or remove the calendar.`,
  );
}

/** A block in a list, with slug and name of its home. */
export interface ListedBlock extends Block {
  listing: string;
  listingName: string;
}

/** Lists the blocks of a home, or of all, by the ID of the home and date. Throws `OperatorRefusal`. */
export async function listBlocksOf(
  executor: Executor,
  { listing }: { listing?: string | undefined },
  page: PageRequest,
): Promise<PageOfStaff<ListedBlock>> {
  const only = listing === undefined ? null : (await listingFor(executor, listing)).id;
  const { items, nextCursor } = await pageForStaff(
    executor.vault,
    {
      operation: 'staff.block.list',
      filters: { listingId: only },
      read: (after: [listingId: string, from: string] | null, atMost) =>
        listBlocks(executor, {
          ...(only !== null && { listingIds: [only] }),
          ...(after && { after: { listingId: after[0], from: after[1] } }),
          atMost,
        }),
      placeOf: ({ listingId, from }) => [listingId, from],
    },
    page,
  );
  const homes = await findSlugs(executor, [...new Set(items.map(({ listingId }) => listingId))]);
  return {
    items: items.map((block) => {
      const { slug, name } = homes.get(block.listingId)!;
      return { ...block, listing: slug, listingName: name };
    }),
    nextCursor,
  };
}

type Column = 'listing' | 'from' | 'to' | 'reason';

const blockColumns: CsvColumns<Column> = {
  required: ['listing', 'from', 'to'],
  optional: ['reason'],
};

/** A block that an import adds, or changes: what it was is `before`, else null. */
export interface BlockChange extends BlockInput {
  before: Pick<Block, 'reason' | 'source'> | null;
}

/** What an import of blocks changes, or the problems that prevented it. */
export type BlockFileImport =
  | { problems: CsvProblem[] }
  | { added: number; changed: number; unchanged: number; changes: BlockChange[] };

interface BlockLine extends BlockInput {
  line: number;
}

interface ReadBlocks {
  lines: BlockLine[];
  problems: CsvProblem[];
}

async function readLines(file: Buffer, mostLines: number | undefined): Promise<ReadBlocks> {
  const { rows, problems } = await readCsv(file, blockColumns, mostLines);
  const found = [...problems];
  const lines = rows.map((row): BlockLine => {
    const { line, cells } = row;
    found.push(...datesProblems(row, (from, to) => from < to, 'must be after'));
    const reason = cells.reason || null;
    if (reason !== null && reason.length > blockReasonLength) {
      const message = `must have at most ${blockReasonLength} characters`;
      found.push({ line, column: 'reason', message });
    }
    return { line, listing: cells.listing!, from: cells.from!, to: cells.to!, reason };
  });
  return { lines, problems: found };
}

async function importLines(
  executor: Executor,
  { lines, problems: found }: ReadBlocks,
  actor: string,
): Promise<BlockFileImport> {
  const names = [...new Set(lines.map(({ listing }) => listing))];
  const listings = await findSlugs(executor, names);
  const unknown = lines.filter(({ listing }) => !listings.has(listing));
  const problems = [
    ...found,
    ...unknown.map(({ line, listing }): CsvProblem => {
      return { line, column: 'listing', message: `there is no listing ${listing}` };
    }),
  ];
  const known = soundLines(lines, found).filter(({ listing }) => listings.has(listing));
  const result = await addBlocks(
    executor,
    known.map(({ listing, from, to, reason }) => ({
      listingId: listings.get(listing)!.id,
      from,
      to,
      reason,
      source: 'file',
    })),
  );
  if (result.outcome === 'taken') {
    for (const collision of result.collisions) {
      const { line } = known[collision.place]!;
      problems.push({ line, column: 'from', message: collisionText(collision) });
    }
  }
  if (problems.length > 0 || result.outcome === 'taken') return { problems };
  const count = (change: string) => result.blocks.filter((one) => one.change === change).length;
  const counts = {
    added: count('added'),
    changed: count('changed'),
    unchanged: count('unchanged'),
  };
  const changes = result.blocks.flatMap(({ blockId, change, before }, place) => {
    if (change === 'unchanged') return [];
    const { listing, from, to, reason } = known[place]!;
    return [{ change, blockId, listing, from, to, reason, ...(before && { before }) }];
  });
  if (changes.length > 0) {
    const details = { ...counts, first: firstChanges(changes) };
    await insertAuditEntry(executor, {
      actor,
      action: 'block.import',
      applicationId: null,
      details,
    });
  }
  const shown = changes.map(({ change: _, blockId: __, before = null, ...block }) => {
    return { ...block, before };
  });
  return { ...counts, changes: shown };
}

/**
 * Imports a CSV file of blocks in one transaction. A file with problems changes nothing, and so does a dry
 * run.
 *
 * Spec: the catalog file, Import.
 */
export async function importBlocks(
  database: Database,
  file: Buffer,
  { actor, dryRun, mostLines }: CsvImportOptions,
): Promise<BlockFileImport> {
  const read = await readLines(file, mostLines);
  return longTransaction(database, 'read write', async (executor) => {
    await lockCatalog(executor);
    const result = await importLines(executor, read, actor);
    return { commit: !dryRun && !('problems' in result), result };
  });
}

/** The blocks of listings that a catalog file has: from files and by staff, by listing and date. */
export async function readFileBlocks(
  executor: Executor,
  listingIds: readonly string[],
): Promise<Block[]> {
  const blocks: Block[] = [];
  for (let page: Block[] | null = null; page === null || page.length === blocksPerPage;) {
    const after = blocks.at(-1);
    page = await listBlocks(executor, {
      listingIds,
      atMost: blocksPerPage,
      ...(after ? { after } : {}),
    });
    blocks.push(...page);
  }
  return blocks.filter(({ source }) => source !== 'channel');
}

const blocksPerPage = 10_000;
