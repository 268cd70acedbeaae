/** The homes that staff name, by slug or ID. */

import { noSuch, type OperatorRefusal } from '../access/index.ts';
import type { Executor } from '../platform/postgres/database.ts';
import { findSlugs } from './import/lines-of-homes.ts';
import { type ListingIdentity, readHomes, type StoredHome } from './store/listings.ts';

/** The refusal for an unknown home. */
export const noListing = (name: string): OperatorRefusal =>
  noSuch(`There is no listing "${name}".`);

/** Finds a home. Throws `OperatorRefusal`. */
export async function listingFor(executor: Executor, name: string): Promise<ListingIdentity> {
  const found = await findSlugs(executor, [name]);
  const listing = found.get(name);
  if (!listing) throw noListing(name);
  return listing;
}

/** Reads a home with its rates, rules and places. Throws `OperatorRefusal`. */
export async function homeFor(executor: Executor, name: string): Promise<StoredHome> {
  const { slug } = await listingFor(executor, name);
  const [found] = await readHomes(executor, [slug]);
  if (!found) throw noListing(name);
  return found;
}
