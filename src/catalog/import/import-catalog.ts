/** Writes a catalog file to the database. */

import type { CatalogPromotion } from '../../contract/catalog-file.ts';
import { insertAuditEntry } from '../../platform/audit/audit-entries.ts';
import { firstChanges } from '../../platform/audit/first-changes.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { createNameCheck } from '../file/names.ts';
import { createProblemList, type FileProblems } from '../file/problems.ts';
import {
  readCatalogFile,
  type Batch,
  type CatalogSource,
  type FileEntry,
} from '../file/read-catalog-file.ts';
import { readCatalogs, readCollections } from '../store/catalogs.ts';
import { readPlaces } from '../store/places.ts';
import { markCatalogs } from '../store/revision.ts';
import { createStagedHomes, writeStagedHomes } from '../store/staged-homes.ts';
import { unusualLines } from '../unusual-prices.ts';
import { compareThenWrite } from './compare-then-write.ts';
import { changesAnything, type Difference } from './difference.ts';
import { applyBlocks, stageBlocks } from './import-blocks.ts';
import { compareHead, writeHead } from './import-head.ts';
import {
  comparePlaces,
  compareWithdrawn,
  stageListings,
  withdrawListings,
  writePlaces,
} from './import-listings.ts';
import { importPromotions } from './import-promotions.ts';
import { ImportState, type ImportOptions } from './import-state.ts';

export type { ImportOptions } from './import-state.ts';

/** What an import changes, or the problems that prevented it. */
export type ImportResult =
  | { problems: FileProblems }
  | { catalog: string; difference: Difference; warnings: string[] };

/** Checks the names of each batch of a file. */
type NameCheck = (batch: Batch) => void;

const everything = { has: () => true };

/** Reads what the installation has. */
async function begin(
  state: ImportState,
  { head }: Extract<Batch, { list: 'head' }>,
): Promise<NameCheck> {
  const { executor, options } = state;
  const slug = options.slug ?? head?.slug;
  if (slug === undefined) return createNameCheck({ listings: everything, collections: everything });
  state.slug = slug;
  const catalogs = await readCatalogs(executor);
  state.catalog = catalogs.find((each) => each.slug === slug);
  state.catalogId = state.catalog?.catalogId ?? null;
  const text = head ? head.cancellationText : state.catalog?.cancellationText;
  state.hasOwnText = Boolean(text);
  if (state.catalogId !== null) {
    const collections = await readCollections(executor, state.catalogId);
    state.collections = new Map(collections.map((each) => [each.slug, each]));
    const places = await readPlaces(executor, state.catalogId);
    state.places = new Map(places.map((place) => [place.slug, place]));
  }
  return createNameCheck({
    listings: state.places,
    collections: options.mode === 'merge' ? state.soldCollections() : new Map(),
  });
}

/** Compares the file with what is stored, and sets aside what it changes. Returns its promotions. */
async function readFile(
  state: ImportState,
  source: CatalogSource,
): Promise<FileEntry<CatalogPromotion>[]> {
  const promotions: FileEntry<CatalogPromotion>[] = [];
  let checkNames: NameCheck = () => undefined;
  for await (const batch of readCatalogFile(source, state.problems)) {
    if (batch.list === 'head') checkNames = await begin(state, batch);
    checkNames(batch);
    if (batch.list === 'head' && batch.head) await compareHead(state, batch.head, batch.report);
    if (batch.list === 'listings') await stageListings(state, batch.entries);
    if (batch.list === 'promotions') promotions.push(...batch.entries);
    if (batch.list === 'blocks') await stageBlocks(state, batch.entries);
  }
  return promotions;
}

async function audit({ executor, options, slug, difference }: ImportState): Promise<void> {
  const { actor, mode } = options;
  if (actor === null || !changesAnything(difference)) return;
  const { moved, ...kinds } = difference;
  const counts = Object.fromEntries(
    Object.entries(kinds).map(([kind, { entries: _, ...numbers }]) => [kind, numbers]),
  );
  const described = Object.entries(kinds).flatMap(([kind, { entries }]) =>
    entries.map((entry) => ({ kind, ...entry })),
  );
  const first = firstChanges(described);
  const details = { catalog: slug, mode, changes: { ...counts, moved }, first };
  await insertAuditEntry(executor, { actor, action: 'catalog.import', details });
}

const namedHomes = 10;

function cancellationWarning(homes: readonly string[], text: string): string[] {
  if (homes.length === 0) return [];
  const more = homes.length > namedHomes ? ` and ${homes.length - namedHomes} more` : '';
  const names = `${homes.slice(0, namedHomes).join(', ')}${more}`;
  return [`Without entries of cancellation nothing is refunded, ${text}: ${names}.`];
}

/** What is allowed, but perhaps not meant. Spec: FILE-13, TERMS-8. */
const warningsOf = ({ withoutCancellation, onlyWithText, unusual }: ImportState): string[] => [
  ...cancellationWarning(withoutCancellation, 'and the text for guests says so'),
  ...cancellationWarning(onlyWithText, 'whatever your own text for guests says'),
  ...unusualLines(unusual),
];

type Imported = Exclude<ImportResult, { problems: unknown }>;

/** Writes what was set aside, while nobody else changes a catalog. */
async function takeEffect(
  state: ImportState,
  promotions: readonly FileEntry<CatalogPromotion>[],
): Promise<void> {
  const { executor, prepared } = state;
  if (state.isSound()) await writeHead(state);
  // Also beside problems: blocks are compared with what the homes have.
  if (prepared.homes > 0) await writeStagedHomes(executor, await state.raised());
  if (state.isSound()) {
    await writePlaces(state);
    await withdrawListings(state);
  }
  await applyBlocks(state);
  // Last: bookings with a promotion wait for its lock, so it is short.
  if (state.slug !== '') await importPromotions(state, promotions);
  if (!state.isSound()) return;
  if (state.revision !== null) await markCatalogs(executor, state.revision, [state.catalogId!]);
  await audit(state);
}

async function run(state: ImportState, source: CatalogSource): Promise<Imported | 'overtaken'> {
  const { executor, options, difference } = state;
  await createStagedHomes(executor);
  await options.blocks?.begin(executor);
  const promotions = await readFile(state, source);
  if (state.problems.isFull) return { catalog: state.slug, difference, warnings: [] };
  if (state.isSound()) {
    await comparePlaces(state);
    if (options.mode === 'replace') await compareWithdrawn(state);
  }
  if (!(await state.comparison.lock())) return 'overtaken';
  await takeEffect(state, promotions);
  return { catalog: state.slug, difference, warnings: warningsOf(state) };
}

/**
 * Writes a catalog file in one transaction. A file with problems changes nothing, and so does a dry run. Until the
 * whole file is compared, nobody waits for it; if somebody was faster, it is compared again while others wait.
 *
 * Spec: FILE-1, FILE-2.
 */
export const importCatalog = (
  database: Database,
  source: CatalogSource,
  options: ImportOptions,
): Promise<ImportResult> =>
  compareThenWrite<ImportResult>(database, async (executor, comparison) => {
    const problems = createProblemList();
    const result = await run(new ImportState(executor, comparison, options, problems), source);
    if (result === 'overtaken') return result;
    if (problems.count > 0) return { commit: false, result: { problems: problems.all() } };
    return { commit: !options.dryRun, result };
  });
