/** Writes a catalog as a catalog file. */

import type { CatalogListing } from '../contract/catalog-file.ts';
import { isRefusal, type Refusal } from '../contract/errors.ts';
import type { Database, Executor } from '../platform/postgres/database.ts';
import { catalogFor } from './catalog-for.ts';
import { longTransaction } from '../platform/postgres/long-transaction.ts';
import { writeCatalogFile, type CatalogFileContent } from './file/write-catalog-file.ts';
import type { ImportedBlock } from './import/block-import.ts';
import { promotionInFile, type CompletePromotion } from './import/promotions.ts';
import type { StoredCatalog } from './store/catalogs.ts';
import { readHomes } from './store/listings.ts';
import { readPlaces, type CatalogPlace } from './store/places.ts';
import type { Home } from './store/listing-rows.ts';
import { readPromotions } from './store/promotions.ts';

/** Reads the blocks of listings that a catalog file has, by listing and date. */
export type ReadBlocks = (
  executor: Executor,
  listingIds: readonly string[],
) => Promise<ImportedBlock[]>;

const perRead = 500;

function* chunksOf<T>(items: readonly T[]): Generator<T[]> {
  for (let at = 0; at < items.length; at += perRead) yield items.slice(at, at + perRead);
}

/** A listing as a file has it. */
export const listingInFile = (
  { listingId, slug, name, description, blurb, rates, ...rest }: Home,
  collection: string | null,
): CatalogListing =>
  ({
    slug,
    listingId,
    name,
    description,
    blurb,
    collection,
    ...rest,
    rates,
  }) as CatalogListing;

async function* listingsOf(
  executor: Executor,
  places: readonly CatalogPlace[],
  collections: ReadonlyMap<string, string>,
): AsyncGenerator<CatalogListing[]> {
  for (const chunk of chunksOf(places)) {
    const stored = await readHomes(
      executor,
      chunk.map(({ slug }) => slug),
    );
    const homes = new Map(stored.map(({ home }) => [home.slug, home]));
    yield chunk.map(({ slug, collectionId }) =>
      listingInFile(homes.get(slug)!, collections.get(collectionId ?? '') ?? null),
    );
  }
}

async function* blocksOf(
  executor: Executor,
  places: readonly CatalogPlace[],
  readBlocks: ReadBlocks,
): CatalogFileContent['blocks'] {
  for (const chunk of chunksOf(places)) {
    const blocks = await readBlocks(
      executor,
      chunk.map(({ listingId }) => listingId),
    );
    const byListing = Map.groupBy(blocks, ({ listingId }) => listingId);
    yield chunk.flatMap(({ slug, listingId }) =>
      (byListing.get(listingId) ?? []).map(({ from, to, reason }) => ({
        listing: slug,
        from,
        to,
        ...(reason === null ? {} : { reason }),
      })),
    );
  }
}

/** A promotion without what the file does not have; null if nothing is left that it applies to. */
function ofSold(
  promotion: CompletePromotion,
  sold: { listings: ReadonlySet<string>; collections: ReadonlySet<string> },
): CompletePromotion | null {
  const listings = promotion.listings?.filter((slug) => sold.listings.has(slug)) ?? null;
  const collections = promotion.collections?.filter((slug) => sold.collections.has(slug)) ?? null;
  const isForAll = promotion.listings === null && promotion.collections === null;
  if (!isForAll && !listings?.length && !collections?.length) return null;
  return {
    ...promotion,
    listings: listings?.length === 0 ? null : listings,
    collections: collections?.length === 0 ? null : collections,
  };
}

async function partsOf(
  executor: Executor,
  catalog: StoredCatalog,
  readBlocks: ReadBlocks,
): Promise<CatalogFileContent> {
  const { catalogId, slug, name, discovery, policies, standards, collections } = catalog;
  const { trader, cancellationText } = catalog;
  const places = await readPlaces(executor, catalogId);
  const sold = places.filter(({ withdrawn }) => !withdrawn);
  const slugs = {
    listings: new Map(places.map((place) => [place.listingId, place.slug])),
    collections: new Map(collections.map((each) => [each.collectionId, each.slug])),
  };
  const promotions = (await readPromotions(executor, catalogId)).map((promotion) =>
    promotionInFile(promotion, slugs),
  );
  const inFile = {
    listings: new Set(sold.map((place) => place.slug)),
    collections: new Set(slugs.collections.values()),
  };
  return {
    catalog: {
      slug,
      name,
      discovery,
      policies,
      standards,
      ...(trader && { trader }),
      ...(cancellationText && { cancellationText }),
      collections: collections.map(({ collectionId, slug: own, name: title, description }) => ({
        slug: own,
        collectionId,
        name: title,
        description,
      })),
    },
    listings: listingsOf(executor, sold, slugs.collections),
    promotions: promotions.flatMap((promotion) => ofSold(promotion, inFile) ?? []),
    blocks: blocksOf(executor, sold, readBlocks),
  };
}

/**
 * Writes a catalog (without a slug: the only one) as a catalog file, from one snapshot of the database. The
 * same catalog gives the same bytes. Importing the file changes nothing, except that promotions no longer name
 * homes that the catalog has withdrawn. Returns the slug of the catalog.
 *
 * Spec: FILE-3.
 */
export const exportCatalog = (
  database: Database,
  slug: string | undefined,
  readBlocks: ReadBlocks,
  write: (text: string) => Promise<void>,
): Promise<string | Refusal<'not_found' | 'conflict'>> =>
  longTransaction<string | Refusal<'not_found' | 'conflict'>>(
    database,
    'snapshot',
    async (executor) => {
      const catalog = await catalogFor(executor, slug);
      if (isRefusal(catalog)) return { commit: false, result: catalog };
      for await (const text of writeCatalogFile(await partsOf(executor, catalog, readBlocks))) {
        await write(text);
      }
      return { commit: true, result: catalog.slug };
    },
  );
