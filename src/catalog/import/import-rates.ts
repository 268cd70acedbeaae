/** Writes prices of dates from a spreadsheet. */

import type { Refusal } from '../../contract/errors.ts';
import type { EpochMs } from '../../contract/time.ts';
import { insertAuditEntry } from '../../platform/audit/audit-entries.ts';
import { firstChanges } from '../../platform/audit/first-changes.ts';
import { readCsv, type CsvImportOptions, type CsvProblem } from '../../platform/csv.ts';
import type { Database, Executor } from '../../platform/postgres/database.ts';
import { longTransaction } from '../../platform/postgres/long-transaction.ts';
import { readHomes } from '../store/listings.ts';
import { writeHomes } from '../store/write-homes.ts';
import { lockCatalog, markCatalogs, raiseRevision } from '../store/revision.ts';
import {
  addUnusual,
  nothingUnusual,
  unusualRefusal,
  type UnusualPrices,
} from '../unusual-prices.ts';
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

/** What the batches of one import share. */
interface ImportedSoFar {
  problems: CsvProblem[];
  unusual: UnusualPrices;
  /** The time of the database. */
  now: EpochMs;
  revision: () => Promise<number>;
}

const perBatch = 200;

/** Applies the lines of some listings. Writes nothing once there are problems. */
async function importBatch(
  executor: Executor,
  lines: ReadonlyMap<string, RateLine[]>,
  { problems, unusual, now, revision }: ImportedSoFar,
): Promise<RateChange[]> {
  const homes = await readHomes(executor, [...lines.keys()]);
  const imported = homes.map(({ home }) => {
    const {
      dates,
      changes,
      problems: wrong,
    } = applyRates(
      { listing: home.slug, currency: home.currency, dates: home.rates.dates },
      lines.get(home.slug)!,
    );
    for (const problem of wrong) problems.push(problem);
    return { home: { ...home, rates: { ...home.rates, dates } }, changes };
  });
  const changed = imported.filter(({ changes }) => changes.length > 0);
  const known = new Map(homes.map(({ home }) => [home.slug, home]));
  for (const { home } of changed) addUnusual(unusual, known.get(home.slug)!, home, now);
  if (problems.length === 0 && changed.length > 0) {
    await writeHomes(
      executor,
      changed.map(({ home }) => home),
      known,
      await revision(),
    );
  }
  return changed.flatMap(({ changes }) => changes);
}

/** Applies the lines of all listings, some listings at a time. */
async function importInBatches(
  executor: Executor,
  bySlug: readonly [slug: string, lines: RateLine[]][],
  soFar: ImportedSoFar,
): Promise<RateChange[]> {
  const changes: RateChange[] = [];
  for (let at = 0; at < bySlug.length; at += perBatch) {
    const batch = new Map(bySlug.slice(at, at + perBatch));
    const ofBatch = await importBatch(executor, batch, soFar);
    // Not spread: a call takes about 100,000 arguments.
    for (const change of ofBatch) changes.push(change);
  }
  return changes;
}

async function importLines(
  executor: Executor,
  read: ReadRates,
  actor: string,
): Promise<RateImport> {
  const now = await lockCatalog(executor);
  const { lines, problems } = await linesOfHomes(executor, read);
  const bySlug = [...Map.groupBy(lines, ({ home }) => home.slug)];
  let revision: number | null = null;
  const soFar: ImportedSoFar = {
    problems,
    unusual: nothingUnusual(),
    now,
    revision: async () => (revision ??= await raiseRevision(executor)),
  };
  const changes = await importInBatches(executor, bySlug, soFar);
  if (problems.length > 0) return { problems };
  const listings = bySlug.length;
  if (revision !== null) {
    await markCatalogs(executor, revision, []);
    const details = { listings, entries: changes.length, first: firstChanges(changes) };
    const homes = changes.map(({ listing }) => listing);
    const entry = { actor, action: 'rate.import', applicationId: null, details, homes } as const;
    await insertAuditEntry(executor, entry);
  }
  return { listings, unchanged: lines.length - changes.length, changes, unusual: soFar.unusual };
}

/**
 * Imports a CSV file of rates into the `dates` of listings, in one transaction. A file with problems changes
 * nothing, and so does a dry run. Refuses unusual prices that are not allowed.
 *
 * Spec: FILE-7, FILE-13.
 */
export async function importRates(
  database: Database,
  file: Buffer,
  { actor, dryRun, mostLines, allowUnusual }: RateImportOptions,
): Promise<RateImport | Refusal<'conflict'>> {
  const read = readRates(await readCsv(file, rateColumns, mostLines));
  return longTransaction<RateImport | Refusal<'conflict'>>(
    database,
    'read write',
    async (executor) => {
      const result = await importLines(executor, read, actor);
      if (dryRun || 'problems' in result) return { commit: false, result };
      const refusal = unusualRefusal(result.unusual, allowUnusual);
      return { commit: true, result: refusal ?? result };
    },
  );
}
