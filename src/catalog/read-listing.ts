/** A home with everything about it, as staff read it. */

import type { OperatorReplyOf } from '../contract/operator/operations.ts';
import { isRefusal, type Refusal } from '../contract/errors.ts';
import type { Executor } from '../platform/postgres/database.ts';
import { slugOfCollection } from './collection-slugs.ts';
import { listingInFile } from './export-catalog.ts';
import { homeFor } from './listing-for.ts';
import { type StoredCatalog, readCatalogs } from './store/catalogs.ts';
import type { StoredHome } from './store/listings.ts';

/** A home as staff read it. */
export type ListingInFull = OperatorReplyOf<'operator.listing.get'>['body'];

/** A stored home as staff read it, with its collection in a catalog (absent: the first that sells it). */
export function listingInFull(
  { home, places, revision }: StoredHome,
  catalogs: readonly StoredCatalog[],
  catalog: string | undefined,
): ListingInFull {
  const placed = places.map(({ catalogId, collectionId }) => {
    const storedCatalog = catalogs.find((each) => each.catalogId === catalogId)!;
    return {
      catalog: storedCatalog.slug,
      collection: slugOfCollection(storedCatalog, collectionId),
    };
  });
  const shown = placed.find((place) => place.catalog === catalog) ?? placed[0];
  return {
    listingId: home.listingId,
    version: revision,
    catalog: shown?.catalog ?? null,
    listing: listingInFile(home, shown?.collection ?? null),
    places: placed,
  };
}

/** Reads a home, with its collection in a catalog (absent: the first that sells it). */
export async function readListing(
  executor: Executor,
  name: string,
  catalog?: string,
): Promise<ListingInFull | Refusal<'not_found'>> {
  const home = await homeFor(executor, name);
  return isRefusal(home) ? home : listingInFull(home, await readCatalogs(executor), catalog);
}
