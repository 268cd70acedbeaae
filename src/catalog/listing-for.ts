/** The homes that staff name, by slug or ID. */

import { isRefusal, type Refusal } from '../contract/errors.ts';
import { refuseStaff } from '../contract/operator/errors.ts';
import type { Executor } from '../platform/postgres/database.ts';
import { findSlugs } from './import/lines-of-homes.ts';
import { type ListingIdentity, readHomes, type StoredHome } from './store/listings.ts';

/** The refusal for an unknown home. */
export const noListing = (name: string): Refusal<'not_found'> =>
  refuseStaff('not_found', `There is no listing "${name}".`);

/** Finds a home. */
export async function listingFor(
  executor: Executor,
  name: string,
): Promise<ListingIdentity | Refusal<'not_found'>> {
  const found = await findSlugs(executor, [name]);
  return found.get(name) ?? noListing(name);
}

/** Reads a home with its rates, rules and places. */
export async function homeFor(
  executor: Executor,
  name: string,
): Promise<StoredHome | Refusal<'not_found'>> {
  const listing = await listingFor(executor, name);
  if (isRefusal(listing)) return listing;
  const [found] = await readHomes(executor, [listing.slug]);
  return found ?? noListing(name);
}
