/** Listings and their places in the catalog, in an import. */

import { inSlices, slicesOfCost } from '../../platform/slices.ts';
import type { ReadListing } from '../file/entries.ts';
import type { FileEntry } from '../file/read-catalog-file.ts';
import { withdrawCollections } from '../store/catalogs.ts';
import { readHomes, readIdentities } from '../store/listings.ts';
import { withdrawListings as withdrawStored, writePlaces as writeStored } from '../store/places.ts';
import { costOfHome, costOfSlice, stageHomes } from '../store/staged-homes.ts';
import { addUnusual } from '../unusual-prices.ts';
import { addChange, changedMembers, entryChange } from './difference.ts';
import { comparedAtOnce, type ImportState } from './import-state.ts';
import { positionAfter, positionsOf } from './positions.ts';

const placesPerStatement = 1_000;

/** Reports IDs of listings that differ from the stored ones. Spec: FILE-11. */
async function checkIdentities(
  state: ImportState,
  entries: readonly FileEntry<ReadListing>[],
): Promise<void> {
  const ids = entries.flatMap(({ value }) => value.listingId ?? []);
  if (ids.length === 0) return;
  const slugs = entries.map(({ value }) => value.slug);
  const known = await readIdentities(state.executor, slugs, ids);
  const idOf = new Map(known.map(({ slug, id }) => [slug, id]));
  const slugOf = new Map(known.map(({ slug, id }) => [id, slug]));
  for (const { value, report } of entries) {
    const { slug, listingId } = value;
    if (listingId === null) continue;
    const existing = idOf.get(slug) ?? listingId;
    const owner = slugOf.get(listingId) ?? slug;
    if (existing !== listingId) report('/listingId', `must be its existing ID: ${existing}`);
    else if (owner !== slug) report('/listingId', `is the ID of ${owner}`);
  }
}

const costOf = ({ value: { rates } }: FileEntry<ReadListing>): number =>
  costOfHome + rates.dates.length + rates.seasons.length;

/** The slugs of collections by ID. */
const collectionSlugs = ({ collections }: ImportState): Map<string, string> =>
  new Map([...collections.values()].map(({ slug, collectionId }) => [collectionId, slug]));

/** Compares a slice of listings with what is stored, and sets aside those that differ. */
async function stageSlice(
  state: ImportState,
  entries: readonly FileEntry<ReadListing>[],
  slugOfCollection: ReadonlyMap<string, string>,
): Promise<void> {
  const slugs = entries.map(({ value }) => value.slug);
  const stored = await readHomes(state.executor, slugs);
  const homes = new Map(stored.map(({ home }) => [home.slug, home]));
  const changed = entries.flatMap(({ value: { collection, ...home } }) => {
    if (home.cancellation.length === 0) {
      const hasText = Boolean(home.cancellationText) || state.hasOwnText;
      const homesOfWarning = hasText ? state.onlyWithText : state.withoutCancellation;
      homesOfWarning.push(home.slug);
    }
    const before = homes.get(home.slug);
    const place = state.places.get(home.slug);
    const listingId = before?.listingId ?? home.listingId;
    const members = before ? changedMembers(before, { ...home, listingId }) : [];
    if (before && members.length > 0) addUnusual(state.unusual, before, home, state.comparison.now);
    const placed = place
      ? changedMembers(
          { collection: slugOfCollection.get(place.collectionId ?? '') ?? null },
          { collection },
        )
      : [];
    const isSold = place !== undefined && !place.withdrawn;
    const all = [...members, ...placed];
    if (!isSold || all.length > 0) {
      const details = { members: all, currency: home.currency };
      const entry = entryChange(isSold ? 'changed' : 'added', home.slug, details);
      addChange(state.difference, 'listings', entry);
    }
    return before && members.length === 0 ? [] : [{ ...home, listingId }];
  });
  if (!state.isSound()) return;
  const staged =
    changed.length > 0
      ? await stageHomes(state.executor, changed, homes)
      : new Map<string, string>();
  state.prepared.homes += staged.size;
  for (const { value } of entries) {
    const listingId = staged.get(value.slug) ?? homes.get(value.slug)!.listingId;
    state.imported.set(value.slug, { listingId, collection: value.collection });
  }
}

/** Compares listings of the file with what is stored, and sets aside those that differ. */
export async function stageListings(
  state: ImportState,
  entries: readonly FileEntry<ReadListing>[],
): Promise<void> {
  await checkIdentities(state, entries);
  const slugOfCollection = collectionSlugs(state);
  for (const slice of slicesOfCost(entries, costOfSlice, costOf)) {
    await stageSlice(state, slice, slugOfCollection);
  }
}

/** Compares the places of the listings of the file, in its order, with what is stored. */
export async function comparePlaces(state: ImportState): Promise<void> {
  const known: (number | null)[] = [];
  for await (const slice of inSlices(state.imported.keys(), comparedAtOnce)) {
    for (const slug of slice) known.push(state.places.get(slug)?.position ?? null);
  }
  const positions = positionsOf(known, positionAfter(state.places.values()));
  const slugOfCollection = collectionSlugs(state);
  let at = 0;
  for await (const slice of inSlices(state.imported, comparedAtOnce)) {
    for (const [slug, { listingId, collection }] of slice) {
      const before = state.places.get(slug);
      const position = positions[at]!;
      at += 1;
      const isReordered = before !== undefined && before.position !== position;
      if (isReordered && !before.withdrawn) state.difference.moved += 1;
      const stays =
        before &&
        !isReordered &&
        !before.withdrawn &&
        (slugOfCollection.get(before.collectionId ?? '') ?? null) === collection;
      if (!stays) state.prepared.places.push({ listingId, collection, position });
    }
  }
}

/** Finds the listings and collections that the file does not name. */
export async function compareWithdrawn(state: ImportState): Promise<void> {
  const { withdrawn } = state.prepared;
  for await (const slice of inSlices(state.places.values(), comparedAtOnce)) {
    for (const { slug, listingId, withdrawn: isGone } of slice) {
      if (isGone || state.imported.has(slug)) continue;
      addChange(state.difference, 'listings', entryChange('withdrawn', slug));
      withdrawn.listings.push(listingId);
    }
  }
  for (const { slug, collectionId } of state.soldCollections().values()) {
    if (state.namedCollections.has(slug)) continue;
    addChange(state.difference, 'collections', entryChange('withdrawn', slug));
    withdrawn.collections.push(collectionId);
  }
}

/** Writes the new places of listings. */
export async function writePlaces(state: ImportState): Promise<void> {
  const { places } = state.prepared;
  if (places.length === 0) return;
  const revision = await state.raised();
  for (let at = 0; at < places.length; at += placesPerStatement) {
    const batch = places
      .slice(at, at + placesPerStatement)
      .map(({ listingId, collection, position }) => ({
        listingId,
        position,
        collectionId: collection === null ? null : state.collections.get(collection)!.collectionId,
      }));
    await writeStored(state.executor, state.catalogId!, batch, revision);
  }
}

/** Withdraws the listings and collections that the file does not name. */
export async function withdrawListings(state: ImportState): Promise<void> {
  const { listings, collections } = state.prepared.withdrawn;
  if (listings.length > 0) {
    await withdrawStored(state.executor, state.catalogId!, listings, await state.raised());
  }
  if (collections.length > 0) {
    await state.raised();
    await withdrawCollections(state.executor, collections);
  }
}
