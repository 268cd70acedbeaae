import { readFileSync } from 'node:fs';
import { type Entries, readEntry, readHead } from '../catalog/index.ts';
import type {
  CatalogFile,
  CatalogHead,
  CatalogListing,
  CatalogPromotion,
} from '../contract/catalog-file.ts';
import type { Listing } from '../pricing/index.ts';

/** The homes of the simulation as they are imported into an empty database. */
export interface SimulatedCatalog {
  catalog: CatalogHead['catalog'];
  listings: Listing[];
  promotions: CatalogPromotion[];
}

const document = (): CatalogFile =>
  JSON.parse(
    readFileSync(new URL('../simulation/homes.json', import.meta.url), 'utf8'),
  ) as CatalogFile;

/** The homes of the simulation as its file has them. */
export const simulatedHomes = (): CatalogListing[] => document().listings ?? [];

function entryOf<List extends keyof Entries>(list: List, value: unknown): Entries[List] {
  const { entry, problems } = readEntry(list, value);
  if (!entry || problems.length > 0) throw new Error(JSON.stringify(problems));
  return entry;
}

/** Reads the catalog file of the simulation. */
export function simulatedCatalog(): SimulatedCatalog {
  const { format, catalog, listings = [], promotions = [] } = document();
  const { head, problems } = readHead({ format, catalog });
  if (!head) throw new Error(JSON.stringify(problems));
  const ids = new Map(head.collections?.map(({ slug, collectionId }) => [slug, collectionId]));
  return {
    catalog: head,
    listings: listings.map((one) => {
      const { collection, listingId, ...listing } = entryOf('listings', one);
      return {
        ...listing,
        listingId: listingId!,
        collectionId: ids.get(collection ?? '') ?? null,
      };
    }),
    promotions: promotions.map((one) => entryOf('promotions', one)),
  };
}
