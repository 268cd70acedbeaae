/** Writes prices of dates from a spreadsheet. */

import { insertAuditEntry } from '../../platform/audit/audit-entries.ts';
import { firstChanges } from '../../platform/audit/first-changes.ts';
import { readCsv, soundLines, type CsvImportOptions, type CsvProblem } from '../../platform/csv.ts';
import type { Database, Executor } from '../../platform/postgres/database.ts';
import { longTransaction } from '../../platform/postgres/long-transaction.ts';
import { isUuid } from '../../platform/uuid.ts';
import { type ListingIdentity, readHomes, readIdentities, writeHomes } from '../store/listings.ts';
import { lockCatalog, markCatalogs, raiseRevision } from '../store/revision.ts';
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
  | { listings: number; unchanged: number; changes: RateChange[] };

const perBatch = 200;

/** The listings that lines name by slug or ID, by the name that was given. */
export async function findSlugs(
  executor: Executor,
  names: readonly string[],
): Promise<Map<string, ListingIdentity>> {
  const ids = names.map((name) => name.toLowerCase()).filter(isUuid);
  const found = await readIdentities(executor, names, ids);
  const bySlug = new Map(found.map((listing) => [listing.slug, listing]));
  const byId = new Map(found.map((listing) => [listing.id, listing]));
  return new Map(
    names.flatMap((name) => {
      const listing = bySlug.get(name) ?? byId.get(name.toLowerCase());
      return listing ? [[name, listing] as const] : [];
    }),
  );
}

/** Applies the lines of some listings. Writes nothing once there are problems. */
async function importBatch(
  executor: Executor,
  lines: ReadonlyMap<string, RateLine[]>,
  problems: CsvProblem[],
  revision: () => Promise<number>,
): Promise<RateChange[]> {
  const homes = await readHomes(executor, [...lines.keys()]);
  const imported = homes.map(({ home }) => {
    const {
      dates,
      changes,
      problems: wrong,
    } = applyRates(home.slug, home.rates.dates, lines.get(home.slug)!);
    for (const problem of wrong) problems.push(problem);
    return { home: { ...home, rates: { ...home.rates, dates } }, changes };
  });
  const changed = imported.filter(({ changes }) => changes.length > 0);
  if (problems.length === 0 && changed.length > 0) {
    await writeHomes(
      executor,
      changed.map(({ home }) => home),
      await revision(),
    );
  }
  return changed.flatMap(({ changes }) => changes);
}

async function importLines(
  executor: Executor,
  { lines, problems: found }: ReadRates,
  actor: string,
): Promise<RateImport> {
  await lockCatalog(executor);
  const names = [...new Set(lines.map(({ listing }) => listing))];
  const slugs = await findSlugs(executor, names);
  const unknown = lines
    .filter(({ listing }) => !slugs.has(listing))
    .map(({ line, listing }): CsvProblem => {
      return { line, column: 'listing', message: `there is no listing ${listing}` };
    });
  const problems = [...found, ...unknown];
  const known = soundLines(lines, found).filter(({ listing }) => slugs.has(listing));
  const bySlug = [...Map.groupBy(known, ({ listing }) => slugs.get(listing)!.slug)];
  let revision: number | null = null;
  const raised = async () => (revision ??= await raiseRevision(executor));
  const changes: RateChange[] = [];
  for (let at = 0; at < bySlug.length; at += perBatch) {
    const batch = new Map(bySlug.slice(at, at + perBatch));
    const ofBatch = await importBatch(executor, batch, problems, raised);
    // Not spread: a call takes about 100,000 arguments.
    for (const change of ofBatch) changes.push(change);
  }
  if (problems.length > 0) return { problems };
  if (revision !== null) {
    await markCatalogs(executor, revision, []);
    const details = {
      listings: bySlug.length,
      entries: changes.length,
      first: firstChanges(changes),
    };
    await insertAuditEntry(executor, {
      actor,
      action: 'rate.import',
      applicationId: null,
      details,
    });
  }
  return { listings: bySlug.length, unchanged: lines.length - changes.length, changes };
}

/**
 * Imports a CSV file of rates into the `dates` of listings, in one transaction. A file with problems changes
 * nothing, and so does a dry run.
 *
 * Spec: the catalog file, Import.
 */
export async function importRates(
  database: Database,
  file: Buffer,
  { actor, dryRun, mostLines }: CsvImportOptions,
): Promise<RateImport> {
  const read = readRates(await readCsv(file, rateColumns, mostLines));
  return longTransaction(database, 'read write', async (executor) => {
    const result = await importLines(executor, read, actor);
    return { commit: !dryRun && !('problems' in result), result };
  });
}
