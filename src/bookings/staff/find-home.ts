import { isRefusal, type Refusal } from '../../contract/errors.ts';
import { homeFor } from '../../catalog/index.ts';
import type { Executor } from '../../platform/postgres/database.ts';
import type { Listing } from '../../pricing/index.ts';

/** A home as a catalog sells it. */
export interface HomeOfCatalog {
  listing: Listing;
  /** False: it is withdrawn from this catalog, or was never in it. */
  isSold: boolean;
}

/** Reads a home with its rates and rules. */
export async function homeOfCatalog(
  executor: Executor,
  catalogId: string,
  slugOrId: string,
): Promise<HomeOfCatalog | Refusal<'not_found'>> {
  const stored = await homeFor(executor, slugOrId);
  if (isRefusal(stored)) return stored;
  const { home, places } = stored;
  const place = places.find((one) => one.catalogId === catalogId);
  const collectionId = place?.collectionId ?? null;
  return { listing: { ...home, collectionId }, isSold: place !== undefined };
}
