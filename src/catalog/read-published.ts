import type { Executor } from '../platform/postgres/database.ts';
import { readCancellationTexts } from './store/catalogs.ts';
import { readHome } from './store/listings.ts';
import { type Installation, publish, type PublishedListing } from './view.ts';

/** Reads one listing of a catalog from the database; undefined: the catalog does not sell the home. */
export async function readPublished(
  executor: Executor,
  { baseUrl }: Pick<Installation, 'baseUrl'>,
  catalogId: string,
  listingId: string,
): Promise<PublishedListing | undefined> {
  const [stored, texts] = await Promise.all([
    readHome(executor, listingId),
    readCancellationTexts(executor),
  ]);
  const place = stored?.places.find((one) => one.catalogId === catalogId);
  return stored && place && publish(stored, place, baseUrl, texts.get(catalogId));
}
