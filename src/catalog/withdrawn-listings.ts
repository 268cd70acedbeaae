/** The homes that a catalog no longer sells. */

import { isRefusal, type Refusal } from '../contract/errors.ts';
import { pageForStaff, type PageOfStaff, type PageRequest } from '../access/index.ts';
import type { Executor } from '../platform/postgres/database.ts';
import { catalogFor } from './catalog-for.ts';
import { slugOfCollection } from './collection-slugs.ts';
import { listWithdrawn, type WithdrawnListing, type WithdrawnPosition } from './store/places.ts';

/** A home that a catalog no longer sells, as staff read it. */
export interface WithdrawnHome extends Pick<
  WithdrawnListing,
  'listingId' | 'slug' | 'name' | 'destination' | 'withdrawnAt'
> {
  catalog: string;
  /** The slug of the collection that it belonged to. */
  collection: string | null;
}

/** Lists the homes that a catalog (absent: the only one) no longer sells, the latest first. */
export async function listWithdrawnListings(
  executor: Executor,
  catalog: string | undefined,
  page: PageRequest,
): Promise<PageOfStaff<WithdrawnHome> | Refusal<'invalid_input' | 'not_found' | 'conflict'>> {
  const storedCatalog = await catalogFor(executor, catalog);
  if (isRefusal(storedCatalog)) return storedCatalog;
  const { catalogId } = storedCatalog;
  const found = await pageForStaff(
    executor.vault,
    {
      operation: 'staff.withdrawn.list',
      filters: { catalogId },
      read: (after: WithdrawnPosition | null, atMost) =>
        listWithdrawn(executor, catalogId, after, atMost),
      positionOf: ({ exactlyAt, listingId }) => ({ exactlyAt, listingId }),
    },
    page,
  );
  if (isRefusal(found)) return found;
  const homes = found.items.map(({ exactlyAt: _, collectionId, ...home }) => ({
    ...home,
    catalog: storedCatalog.slug,
    collection: slugOfCollection(storedCatalog, collectionId),
  }));
  return { ...found, items: homes };
}
