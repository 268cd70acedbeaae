/** Homes offered in catalogs and withdrawn from them, one by one. */

import { isRefusal, type Refusal } from '../contract/errors.ts';
import { refuseConflict } from '../contract/operator/errors.ts';
import { auditedChange } from '../platform/audit/audited-change.ts';
import type { Database, Executor } from '../platform/postgres/database.ts';
import { catalogFor } from './catalog-for.ts';
import { collectionIdOf, slugOfCollection } from './collection-slugs.ts';
import { homeFor } from './listing-for.ts';
import { type ListingInFull, readListing } from './read-listing.ts';
import type { StoredCatalog } from './store/catalogs.ts';
import { findPlace, nextPosition, withdrawListings, writePlaces } from './store/places.ts';
import { lockCatalog, markCatalogs, raiseRevision } from './store/revision.ts';

/** Offers a home in a catalog, at its former position or at the end. */
export async function placeHome(
  executor: Executor,
  { catalogId }: StoredCatalog,
  { listingId, collectionId }: { listingId: string; collectionId: string | null },
  revision: number,
): Promise<void> {
  const known = await findPlace(executor, catalogId, listingId);
  const position = known?.position ?? (await nextPosition(executor, catalogId));
  await writePlaces(executor, catalogId, [{ listingId, collectionId, position }], revision);
}

/** Which home to sell in which catalog; absent: the only one. */
export interface ListingPlace {
  /** Slug or ID. */
  name: string;
  catalog?: string | undefined;
}

/**
 * Sells a home in a catalog. Changes nothing if the catalog already sells it there.
 *
 * @param place.collection absent: the one that it had in this catalog
 */
export async function offerListing(
  database: Database,
  actor: string,
  { name, catalog, collection }: ListingPlace & { collection?: string | null | undefined },
): Promise<ListingInFull | Refusal<'invalid_input' | 'not_found' | 'conflict'>> {
  const done = await auditedChange(
    database,
    async (executor) => {
      await lockCatalog(executor);
      const stored = await homeFor(executor, name);
      if (isRefusal(stored)) return stored;
      const { home, places } = stored;
      const storedCatalog = await catalogFor(executor, catalog);
      if (isRefusal(storedCatalog)) return storedCatalog;
      const { listingId } = home;
      const known = await findPlace(executor, storedCatalog.catalogId, listingId);
      const collectionId =
        collection === undefined
          ? (known?.collectionId ?? null)
          : collectionIdOf(storedCatalog, collection, '/collection');
      if (isRefusal(collectionId)) return collectionId;
      const place = places.find((each) => each.catalogId === storedCatalog.catalogId);
      const details = {
        listing: home.slug,
        catalog: storedCatalog.slug,
        // Null: the catalog did not sell it.
        before: place ? { collection: slugOfCollection(storedCatalog, place.collectionId) } : null,
        after: { collection: slugOfCollection(storedCatalog, collectionId) },
      };
      if (place?.collectionId === collectionId) return { isNew: false, details };
      const revision = await raiseRevision(executor);
      await placeHome(executor, storedCatalog, { listingId, collectionId }, revision);
      await markCatalogs(executor, revision, [storedCatalog.catalogId]);
      return { isNew: true, details };
    },
    ({ isNew, details }) => (isNew ? { actor, action: 'listing.offer', details } : []),
  );
  return isRefusal(done) ? done : readListing(database, name, catalog);
}

/** Withdraws a home from sale in a catalog; reservations and blocks stay. */
export async function withdrawListing(
  database: Database,
  actor: string,
  { name, catalog }: ListingPlace,
): Promise<ListingInFull | Refusal<'not_found' | 'conflict'>> {
  const done = await auditedChange(
    database,
    async (executor) => {
      await lockCatalog(executor);
      const stored = await homeFor(executor, name);
      if (isRefusal(stored)) return stored;
      const { home, places } = stored;
      const storedCatalog = await catalogFor(executor, catalog);
      if (isRefusal(storedCatalog)) return storedCatalog;
      const { catalogId, slug } = storedCatalog;
      const place = places.find((each) => each.catalogId === catalogId);
      if (!place) {
        return refuseConflict(`The catalog ${slug} does not sell ${home.slug}.`);
      }
      const revision = await raiseRevision(executor);
      await withdrawListings(executor, catalogId, [home.listingId], revision);
      await markCatalogs(executor, revision, [catalogId]);
      const before = { collection: slugOfCollection(storedCatalog, place.collectionId) };
      return { listing: home.slug, catalog: slug, before };
    },
    (details) => ({ actor, action: 'listing.withdraw', details }),
  );
  return isRefusal(done) ? done : readListing(database, name);
}
