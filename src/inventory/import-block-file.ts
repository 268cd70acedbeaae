/** Blocks from a spreadsheet. */

import { datesProblems, linesOfHomes, lockCatalog, type ReadLines } from '../catalog/index.ts';
import { insertAuditEntry } from '../platform/audit/audit-entries.ts';
import { firstChanges } from '../platform/audit/first-changes.ts';
import {
  readCsv,
  type CsvColumns,
  type CsvImportOptions,
  type CsvProblem,
} from '../platform/csv.ts';
import type { Database, Executor } from '../platform/postgres/database.ts';
import { longTransaction } from '../platform/postgres/long-transaction.ts';
import { collisionText } from './import-blocks.ts';
import { type BlockInput, blockReasonLength } from './edit-blocks.ts';
import {
  addBlocks,
  type AddedBlock,
  type Block,
  type BlockCollision,
  type NewBlock,
} from './store/blocks.ts';

type Column = 'listing' | 'from' | 'to' | 'reason';

const blockColumns: CsvColumns<Column> = {
  required: ['listing', 'from', 'to'],
  optional: ['reason'],
};

/** A block that an import adds (`before` is null) or changes (`before`: what it was). */
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

async function readLines(
  file: Buffer,
  mostLines: number | undefined,
): Promise<ReadLines<BlockLine>> {
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

const collisionsAt = (
  lines: readonly BlockLine[],
  collisions: readonly BlockCollision[],
): CsvProblem[] =>
  collisions.map((collision) => {
    const { line } = lines[collision.index]!;
    return { line, column: 'from', message: collisionText(collision) };
  });

/** What was added and changed, in the order of the lines. */
const changesOf = (lines: readonly BlockLine[], blocks: readonly AddedBlock[]) =>
  blocks.flatMap(({ blockId, change, before }, index) => {
    if (change === 'unchanged') return [];
    const { listing, from, to, reason } = lines[index]!;
    return [{ change, blockId, listing, from, to, reason, ...(before && { before }) }];
  });

function countsOf(blocks: readonly AddedBlock[]) {
  const count = (change: string) => blocks.filter((one) => one.change === change).length;
  return { added: count('added'), changed: count('changed'), unchanged: count('unchanged') };
}

async function importLines(
  executor: Executor,
  read: ReadLines<BlockLine>,
  actor: string,
): Promise<BlockFileImport> {
  const { lines, problems } = await linesOfHomes(executor, read);
  const blocks = lines.map(({ home, from, to, reason }): NewBlock => {
    return { listingId: home.id, from, to, reason, source: 'file' };
  });
  // Another import writes blocks, too.
  await lockCatalog(executor);
  const result = await addBlocks(executor, blocks);
  if (result.outcome === 'taken') {
    return { problems: [...problems, ...collisionsAt(lines, result.collisions)] };
  }
  if (problems.length > 0) return { problems };
  const counts = countsOf(result.blocks);
  const changes = changesOf(lines, result.blocks);
  if (changes.length > 0) {
    const details = { ...counts, first: firstChanges(changes) };
    const entry = { actor, action: 'block.import', details } as const;
    await insertAuditEntry(executor, entry);
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
 * Spec: FILE-7.
 */
export async function importBlocks(
  database: Database,
  file: Buffer,
  { actor, dryRun, mostLines }: CsvImportOptions,
): Promise<BlockFileImport> {
  const read = await readLines(file, mostLines);
  return longTransaction(database, 'read write', async (executor) => {
    const result = await importLines(executor, read, actor);
    return { commit: !dryRun && !('problems' in result), result };
  });
}
