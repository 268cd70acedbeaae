/** Writes prices of dates from a spreadsheet. */

import type { Refusal } from '../../contract/errors.ts';
import type { EpochMs } from '../../contract/time.ts';
import { insertAuditEntry } from '../../platform/audit/audit-entries.ts';
import { firstChanges } from '../../platform/audit/first-changes.ts';
import { readCsv, type CsvImportOptions, type CsvProblem } from '../../platform/csv.ts';
import type { Database, Executor } from '../../platform/postgres/database.ts';
import { slicesOfCost } from '../../platform/slices.ts';
import { writeStagedChanges } from '../staged-change.ts';
import { readHomes } from '../store/listings.ts';
import type { Home } from '../store/listing-rows.ts';
import { costOfHome, costOfSlice, createStagedHomes, stageHomes } from '../store/staged-homes.ts';
import {
  addUnusual,
  nothingUnusual,
  unusualRefusal,
  type UnusualPrices,
} from '../unusual-prices.ts';
import { compareThenWrite, type ComparedChange, type Comparison } from './compare-then-write.ts';
import { linesOfHomes } from './lines-of-homes.ts';
import {
  applyRates,
  rateColumns,
  readRates,
  type RateChange,
  type RateLine,
  type ReadRates,
} from './rates-csv.ts';

/** What an import of rates changes, or the problems that prevented it. */
export type RateImport =
  | { problems: CsvProblem[] }
  | { listings: number; unchanged: number; changes: RateChange[]; unusual: UnusualPrices };

/** How a file of rates is imported. */
interface RateImportOptions extends CsvImportOptions {
  /** Set them also where they are unusual. */
  allowUnusual: boolean;
}

/** What was compared so far. */
interface Compared {
  problems: CsvProblem[];
  unusual: UnusualPrices;
  changes: RateChange[];
}

type LinesOfHome = [slug: string, lines: RateLine[]];

/** Compares the lines of some homes with what is stored, and sets aside the homes that change. */
async function stageSlice(
  executor: Executor,
  slice: readonly LinesOfHome[],
  now: EpochMs,
  { problems, unusual, changes }: Compared,
): Promise<void> {
  const lines = new Map(slice);
  const stored = new Map(
    (await readHomes(executor, [...lines.keys()])).map(({ home }) => [home.slug, home]),
  );
  const changed: Home[] = [];
  for (const before of stored.values()) {
    const { slug: listing, currency, rates } = before;
    const after = applyRates({ listing, currency, dates: rates.dates }, lines.get(listing)!);
    // Not spread: a call takes about 100,000 arguments.
    for (const problem of after.problems) problems.push(problem);
    if (after.changes.length === 0) continue;
    for (const change of after.changes) changes.push(change);
    const home = { ...before, rates: { ...rates, dates: after.dates } };
    addUnusual(unusual, before, home, now);
    changed.push(home);
  }
  if (problems.length === 0 && changed.length > 0) await stageHomes(executor, changed, stored);
}

const costOf = ([, lines]: LinesOfHome): number => costOfHome + lines.length;

/** Writes the homes that were set aside, while nobody else changes a catalog. */
async function takeEffect(
  executor: Executor,
  actor: string,
  listings: number,
  changes: readonly RateChange[],
): Promise<void> {
  await writeStagedChanges(executor);
  const details = { listings, entries: changes.length, first: firstChanges(changes) };
  const homes = changes.map(({ listing }) => listing);
  const entry = { actor, action: 'rate.import', details, homes } as const;
  await insertAuditEntry(executor, entry);
}

type Outcome = RateImport | Refusal<'conflict'>;

/** Imports the lines of a file within a comparison. */
export async function importLines(
  executor: Executor,
  comparison: Comparison,
  read: ReadRates,
  { actor, dryRun, allowUnusual }: RateImportOptions,
): Promise<ComparedChange<Outcome>> {
  await createStagedHomes(executor);
  const { lines, problems } = await linesOfHomes(executor, read);
  const bySlug = [...Map.groupBy(lines, ({ home }) => home.slug)];
  const compared: Compared = { problems, unusual: nothingUnusual(), changes: [] };
  for (const slice of slicesOfCost(bySlug, costOfSlice, costOf)) {
    await stageSlice(executor, slice, comparison.now, compared);
  }
  if (problems.length > 0) return { commit: false, result: { problems } };
  const { changes, unusual } = compared;
  const listings = bySlug.length;
  const result = { listings, unchanged: lines.length - changes.length, changes, unusual };
  if (dryRun) return { commit: false, result };
  const refusal = unusualRefusal(unusual, allowUnusual);
  if (refusal) return { commit: false, result: refusal };
  if (!(await comparison.lock())) return 'overtaken';
  if (changes.length > 0) await takeEffect(executor, actor, listings, changes);
  return { commit: true, result };
}

/**
 * Imports a CSV file of rates into the `dates` of listings, in one transaction. A file with problems changes
 * nothing, and so does a dry run. Refuses unusual prices that are not allowed. Until all lines are compared, nobody
 * waits for it.
 *
 * Spec: FILE-7, FILE-13.
 */
export async function importRates(
  database: Database,
  file: Buffer,
  options: RateImportOptions,
): Promise<Outcome> {
  const read = readRates(await readCsv(file, rateColumns, options.mostLines));
  return compareThenWrite<Outcome>(database, (executor, comparison) =>
    importLines(executor, comparison, read, options),
  );
}
