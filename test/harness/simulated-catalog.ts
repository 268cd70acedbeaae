import { readFileSync } from 'node:fs';
import { readCatalogFile, type ReadCatalog } from '../../src/catalog/catalog-file.ts';
import type { Listing } from '../../src/pricing/rules/listing.ts';

/** The homes of the simulation as they are imported into an empty database. */
export type SimulatedCatalog = Omit<ReadCatalog, 'listings'> & { listings: Listing[] };

const document = (): unknown =>
  JSON.parse(readFileSync(new URL('../../src/simulation/homes.json', import.meta.url), 'utf8'));

/** Reads the catalog file of the simulation. */
export function simulatedCatalog(): SimulatedCatalog {
  const read = readCatalogFile(document(), { listings: new Set(), collections: new Set() });
  if ('problems' in read) throw new Error(JSON.stringify(read.problems));
  const ids = new Map(
    read.catalog.collections?.map(({ slug, collectionId }) => [slug, collectionId]),
  );
  return {
    ...read,
    listings: read.listings.map(({ collection, listingId, ...listing }) => ({
      ...listing,
      listingId: listingId!,
      collectionId: ids.get(collection ?? '') ?? null,
    })),
  };
}
