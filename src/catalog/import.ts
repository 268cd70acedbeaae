/** Writes a catalog file to the database. */

import type { CatalogPromotion } from '../contract/catalog-file.ts';
import type { Database, Executor } from '../platform/postgres/database.ts';
import type { Problem } from '../platform/schema-check.ts';
import { basisPoints, dateText, dayNumber } from '../pricing/index.ts';
import { readCatalogFile, type ReadCatalog } from './catalog-file.ts';
import { readCatalogs, writeCatalog, writeCollections } from './store/catalogs.ts';
import { readIdentities, writeHomes, writePlaces } from './store/listings.ts';
import { lockCatalog, markCatalogs, raiseRevision } from './store/revision.ts';
import { lockPromotions, writePromotion, type NewPromotion } from './store/promotions.ts';

/** The counts of an import, or the problems that prevented it. */
export type ImportResult =
  | { problems: Problem[] }
  | { listings: number; collections: number; promotions: number };

/** The stored IDs by slug, and the promotions by code. */
interface CatalogNames {
  listings: ReadonlyMap<string, string>;
  collections: ReadonlyMap<string, string>;
  /** Uses counted so far. */
  promotions: ReadonlyMap<string, number>;
}

async function readNames(executor: Executor, read: ReadCatalog): Promise<CatalogNames> {
  const catalogs = await readCatalogs(executor);
  const catalog = catalogs.find(({ slug }) => slug === read.catalog.slug);
  const slugs = [
    ...read.listings.map(({ slug }) => slug),
    ...read.promotions.flatMap(({ listings }) => listings ?? []),
  ];
  const ids = read.listings.flatMap(({ listingId }) => listingId ?? []);
  const listings = await readIdentities(executor, slugs, ids);
  const promotions = await lockPromotions(executor);
  return {
    listings: new Map(listings.map(({ slug, id }) => [slug, id])),
    collections: new Map(
      catalog?.collections.map(({ slug, collectionId }) => [slug, collectionId]),
    ),
    promotions: new Map(promotions.map(({ code, uses }) => [code, uses])),
  };
}

const idsOf = (
  slugs: string[] | null | undefined,
  ids: ReadonlyMap<string, string>,
): string[] | null => slugs?.map((slug) => ids.get(slug)!) ?? null;

// The date is inclusive, the stored instant exclusive.
const endOf = (date: string | null | undefined): string | null =>
  date ? `${dateText(dayNumber(date) + 1)}T00:00Z` : null;

/** Converts a promotion of a file to its row. */
export function promotionToWrite(
  promotion: CatalogPromotion,
  catalogId: string,
  { listings, collections }: Pick<CatalogNames, 'listings' | 'collections'>,
): NewPromotion {
  const { code, label, percent, amount, bookFrom } = promotion;
  return {
    catalogId,
    code,
    label,
    kind: percent === undefined ? 'amount' : 'percent',
    off: percent === undefined ? (amount ?? 0) : basisPoints(percent),
    currency: promotion.currency ?? null,
    stayFrom: promotion.stayFrom ?? null,
    stayTo: promotion.stayTo ?? null,
    bookFrom: bookFrom ? `${bookFrom}T00:00Z` : null,
    bookTo: endOf(promotion.bookTo),
    listingIds: idsOf(promotion.listings, listings),
    collectionIds: idsOf(promotion.collections, collections),
    minNights: promotion.minNights ?? 1,
    maxUses: promotion.maxUses ?? null,
  };
}

async function write(executor: Executor, read: ReadCatalog, names: CatalogNames): Promise<void> {
  const revision = await raiseRevision(executor);
  const { slug, name, discovery, policies = [], standards = [] } = read.catalog;
  const head = { slug, name, discovery, policies, standards };
  const catalogId = await writeCatalog(executor, head, revision);
  const collections = await writeCollections(
    executor,
    catalogId,
    (read.catalog.collections ?? []).map(({ collectionId, description, ...rest }, position) => ({
      ...rest,
      description: description ?? null,
      position,
      collectionId: collectionId?.toLowerCase() ?? null,
    })),
  );
  const homes = read.listings.map(({ collection: _, ...home }) => ({
    ...home,
    listingId: names.listings.get(home.slug) ?? home.listingId,
  }));
  const written = await writeHomes(executor, homes, revision);
  const places = read.listings.map(({ slug: listing, collection }, position) => ({
    listingId: written.get(listing)!,
    collectionId: collection === null ? null : (collections.get(collection) ?? null),
    position,
  }));
  await writePlaces(executor, catalogId, places, revision);
  const listings = new Map([...names.listings, ...written]);
  for (const promotion of read.promotions) {
    const row = promotionToWrite(promotion, catalogId, { listings, collections });
    await writePromotion(executor, row);
  }
  await markCatalogs(executor, revision, [catalogId]);
}

/**
 * Writes a catalog file in one transaction: adds or changes its entries and keeps all others. If the file
 * has problems, returns all of them and writes nothing.
 *
 * Spec: the catalog file, Import.
 */
export function importCatalog(database: Database, document: unknown): Promise<ImportResult> {
  return database.transaction(async (executor) => {
    await lockCatalog(executor);
    const known = { listings: new Set<string>(), collections: new Set<string>() };
    const read = readCatalogFile(document, known);
    if ('problems' in read) return read;
    await write(executor, read, await readNames(executor, read));
    return {
      listings: read.listings.length,
      collections: read.catalog.collections?.length ?? 0,
      promotions: read.promotions.length,
    };
  });
}
