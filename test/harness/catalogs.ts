/** Installations with more than one catalog. */
import { randomUUID } from 'node:crypto';
import { writeCatalog } from '../../src/catalog/store/catalogs.ts';
import { writeHomes } from '../../src/catalog/store/write-homes.ts';
import { writePlaces } from '../../src/catalog/store/places.ts';
import { markCatalogs, raiseRevision } from '../../src/catalog/store/revision.ts';
import type { Database } from '../../src/platform/postgres/database.ts';
import type { Listing } from '../../src/pricing/rules/listing.ts';

/** Adds a catalog that sells these homes, known or new, outside collections. Returns its ID. */
export const addCatalog = (
  database: Database,
  slug: string,
  homes: readonly Omit<Listing, 'collectionId'>[] = [],
): Promise<string> =>
  database.transaction(async (executor) => {
    const revision = await raiseRevision(executor);
    const head = { slug, name: `Homes of ${slug}`, policies: [], standards: [], trader: null };
    const catalogId = await writeCatalog(
      executor,
      { ...head, discovery: 'brand', cancellationText: null },
      revision,
    );
    const ids = await writeHomes(executor, homes, new Map(), revision);
    const places = homes.map((home, position) => ({
      listingId: ids.get(home.slug)!,
      collectionId: null,
      position,
    }));
    await writePlaces(executor, catalogId, places, revision);
    await markCatalogs(executor, revision, [catalogId]);
    return catalogId;
  });

/** A home like another one, but new. */
export const likeHome = <Home extends Omit<Listing, 'collectionId'>>(home: Home): Home => ({
  ...home,
  listingId: randomUUID(),
  slug: `like-${home.slug}-${randomUUID().slice(0, 8)}`,
});
