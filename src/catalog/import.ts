/** Writes a catalog file to the database. */

import type { CatalogPromotion } from '../contract/catalog-file.ts';
import {
  lockCatalog,
  readCatalogNames,
  writeCollections,
  writeListings,
  writeSite,
  type CatalogNames,
} from './store/catalog.ts';
import type { Database, Executor } from '../platform/postgres/database.ts';
import { writePromotion, type NewPromotion } from './store/promotions.ts';
import { basisPoints, dateText, dayNumber } from '../pricing/index.ts';
import { readCatalogFile, type ReadCatalog } from './catalog-file.ts';
import type { Problem } from './schema-problems.ts';

/** The counts of an import, or the problems that prevented it. */
export type ImportResult =
  | { problems: Problem[] }
  | { listings: number; collections: number; promotions: number };

/** An entry of the file that has an ID. */
interface Identified {
  pointer: string;
  slug: string;
  id: string | null;
}

/** Finds IDs that differ from the stored ones: an ID never changes. */
function identityProblems(
  parts: readonly Identified[],
  known: ReadonlyMap<string, string>,
): Problem[] {
  const slugOfId = new Map([...known].map(([slug, id]) => [id, slug]));
  return parts.flatMap(({ pointer, slug, id }): Problem[] => {
    const knownId = known.get(slug) ?? id;
    if (id === null || (id === knownId && (slugOfId.get(id) ?? slug) === slug)) return [];
    const message =
      id === knownId ? `is the ID of ${slugOfId.get(id)}` : `must be its existing ID: ${knownId}`;
    return [{ pointer, message }];
  });
}

const collectionsOf = ({ catalog: { collections = [] } }: ReadCatalog) =>
  collections.map(({ collectionId, description, ...rest }) => ({
    ...rest,
    collectionId: collectionId?.toLowerCase() ?? null,
    description: description ?? null,
  }));

/** Finds conflicts between a file and the stored catalog. */
function installationProblems(read: ReadCatalog, names: CatalogNames): Problem[] {
  const { catalog, listings, blocks, promotions } = read;
  const faults: Problem[] = [];
  if (names.slug !== null && names.slug !== catalog.slug) {
    const message = `is not the catalog of this installation: ${names.slug}`;
    faults.push({ pointer: '/catalog/slug', message });
  }
  if (blocks.length > 0) {
    faults.push({ pointer: '/blocks', message: 'are not supported by the simulation' });
  }
  promotions.forEach(({ code, maxUses }, at) => {
    const uses = names.promotions.get(code) ?? 0;
    if (typeof maxUses !== 'number' || maxUses >= uses) return;
    const pointer = `/promotions/${at}/maxUses`;
    faults.push({ pointer, message: `must not be less than the uses so far: ${uses}` });
  });
  return [
    ...faults,
    ...identityProblems(
      listings.map(({ slug, listingId: id }, at) => ({
        slug,
        id,
        pointer: `/listings/${at}/listingId`,
      })),
      names.listings,
    ),
    ...identityProblems(
      collectionsOf(read).map(({ slug, collectionId: id }, at) => ({
        slug,
        id,
        pointer: `/catalog/collections/${at}/collectionId`,
      })),
      names.collections,
    ),
  ];
}

const idsOf = (
  slugs: string[] | null | undefined,
  ids: ReadonlyMap<string, string>,
): string[] | null => slugs?.map((slug) => ids.get(slug)!) ?? null;

// The date is inclusive, the stored instant exclusive.
const endOf = (date: string | null | undefined): string | null =>
  date ? `${dateText(dayNumber(date) + 1)}T00:00Z` : null;

function promotionToWrite(
  promotion: CatalogPromotion,
  { listings, collections }: CatalogNames,
): NewPromotion {
  const { code, label, percent, amount, bookFrom } = promotion;
  return {
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
  const { slug, name, discovery, policies = [], standards = [] } = read.catalog;
  await writeSite(executor, { slug, name, discovery, policies, standards });
  await writeCollections(
    executor,
    collectionsOf(read).map((collection, position) => ({
      ...collection,
      position,
      collectionId: collection.collectionId ?? names.collections.get(collection.slug) ?? null,
    })),
  );
  const { collections } = await readCatalogNames(executor);
  await writeListings(
    executor,
    read.listings.map(({ collection, ...listing }, position) => ({
      ...listing,
      position,
      listingId: listing.listingId ?? names.listings.get(listing.slug) ?? null,
      collectionId: collection === null ? null : (collections.get(collection) ?? null),
    })),
  );
  const written = await readCatalogNames(executor);
  for (const promotion of read.promotions) {
    await writePromotion(executor, promotionToWrite(promotion, written));
  }
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
    const names = await readCatalogNames(executor);
    const read = readCatalogFile(document, {
      listings: new Set(names.listings.keys()),
      collections: new Set(names.collections.keys()),
    });
    if ('problems' in read) return read;
    const problems = installationProblems(read, names);
    if (problems.length > 0) return { problems };
    await write(executor, read, names);
    return {
      listings: read.listings.length,
      collections: read.catalog.collections?.length ?? 0,
      promotions: read.promotions.length,
    };
  });
}
