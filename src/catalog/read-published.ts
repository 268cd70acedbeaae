import type { Executor } from '../platform/postgres/database.ts';
import { readCatalogs } from './store/catalogs.ts';
import { readHome } from './store/listings.ts';
import { type Installation, publish, type PublishedListing } from './view.ts';

/** Reads one listing of a catalog from the database; undefined: the catalog does not sell the home. */
export async function readPublished(
  executor: Executor,
  { baseUrl }: Pick<Installation, 'baseUrl'>,
  catalogId: string,
  listingId: string,
): Promise<PublishedListing | undefined> {
  const [stored, catalogs] = await Promise.all([
    readHome(executor, listingId),
    readCatalogs(executor),
  ]);
  const catalog = catalogs.find((one) => one.catalogId === catalogId);
  const place = stored?.places.find((one) => one.catalogId === catalogId);
  return stored && place && publish(stored, place, baseUrl, catalog?.cancellationText);
}
