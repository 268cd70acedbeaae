import { noSuch } from '../../access/index.ts';
import { findListingBySlugOrId, readHomes } from '../../catalog/index.ts';
import type { Executor } from '../../platform/postgres/database.ts';
import type { Listing } from '../../pricing/index.ts';

/** Finds the ID of a listing that staff name by slug or ID. Throws `OperatorRefusal`. */
export async function listingNamed(executor: Executor, text: string): Promise<string> {
  const found = await findListingBySlugOrId(executor, text);
  if (!found) throw noSuch(`There is no listing ${text}.`);
  return found.id;
}

/** A home as a catalog sells it. */
export interface HomeOfCatalog {
  listing: Listing;
  /** False: it is withdrawn from this catalog, or was never in it. */
  isSold: boolean;
}

/** Reads a home with its rates and rules. Throws `OperatorRefusal`. */
export async function homeOfCatalog(
  executor: Executor,
  catalogId: string,
  slugOrId: string,
): Promise<HomeOfCatalog> {
  const named = await findListingBySlugOrId(executor, slugOrId);
  const [found] = named ? await readHomes(executor, [named.slug]) : [];
  if (!found) throw noSuch(`There is no listing ${slugOrId}.`);
  const place = found.places.find((one) => one.catalogId === catalogId);
  const collectionId = place?.collectionId ?? null;
  return { listing: { ...found.home, collectionId }, isSold: place !== undefined };
}
