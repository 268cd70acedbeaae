/** Listings and their places in the catalog, in an import. */

import type { ReadListing } from '../file/entries.ts';
import type { FileEntry } from '../file/read-catalog-file.ts';
import { withdrawCollections } from '../store/catalogs.ts';
import { readHomes, readIdentities } from '../store/listings.ts';
import { withdrawListings as withdrawStored, writePlaces as writeStored } from '../store/places.ts';
import { writeHomes } from '../store/write-homes.ts';
import { addUnusual } from '../unusual-prices.ts';
import { addChange, changedMembers, entryChange } from './difference.ts';
import type { ImportState } from './import-state.ts';
import { positionAfter, positionsOf } from './positions.ts';

const placesPerStatement = 5_000;

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

/** Compares listings of the file with what is stored, and writes those that differ. */
export async function readListings(
  state: ImportState,
  entries: readonly FileEntry<ReadListing>[],
): Promise<void> {
  await checkIdentities(state, entries);
  const slugs = entries.map(({ value }) => value.slug);
  const stored = await readHomes(state.executor, slugs);
  const homes = new Map(stored.map(({ home }) => [home.slug, home]));
  const collectionSlugs = new Map(
    [...state.collections.values()].map(({ slug, collectionId }) => [collectionId, slug]),
  );
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
    if (before && members.length > 0) addUnusual(state.unusual, before, home, state.now);
    const placed = place
      ? changedMembers(
          { collection: collectionSlugs.get(place.collectionId ?? '') ?? null },
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
  const written =
    changed.length > 0
      ? await writeHomes(state.executor, changed, homes, await state.raised())
      : new Map<string, string>();
  for (const { value } of entries) {
    const listingId = written.get(value.slug) ?? homes.get(value.slug)!.listingId;
    state.imported.set(value.slug, { listingId, collection: value.collection });
  }
}

/** Writes the places of the listings of the file, in its order. */
export async function writePlaces(state: ImportState): Promise<void> {
  const imported = [...state.imported];
  const next = positionAfter(state.places.values());
  const positions = positionsOf(
    imported.map(([slug]) => state.places.get(slug)?.position ?? null),
    next,
  );
  const changed = imported.flatMap(([slug, { listingId, collection }], at) => {
    const before = state.places.get(slug);
    const collectionId =
      collection === null ? null : state.collections.get(collection)!.collectionId;
    const position = positions[at]!;
    const isMoved = before !== undefined && before.position !== position;
    if (isMoved && !before.withdrawn) state.difference.moved += 1;
    const stays = before && !isMoved && !before.withdrawn && before.collectionId === collectionId;
    return stays ? [] : [{ listingId, collectionId, position }];
  });
  if (changed.length === 0) return;
  const revision = await state.raised();
  for (let at = 0; at < changed.length; at += placesPerStatement) {
    const batch = changed.slice(at, at + placesPerStatement);
    await writeStored(state.executor, state.catalogId!, batch, revision);
  }
}

/** Withdraws the listings and collections that the file does not name. */
export async function withdrawListings(state: ImportState): Promise<void> {
  const listings = [...state.places.values()].filter(
    ({ slug, withdrawn }) => !withdrawn && !state.imported.has(slug),
  );
  for (const { slug } of listings)
    addChange(state.difference, 'listings', entryChange('withdrawn', slug));
  const collections = [...state.soldCollections().values()].filter(
    ({ slug }) => !state.namedCollections.has(slug),
  );
  for (const { slug } of collections) {
    addChange(state.difference, 'collections', entryChange('withdrawn', slug));
  }
  if (listings.length > 0) {
    const ids = listings.map(({ listingId }) => listingId);
    await withdrawStored(state.executor, state.catalogId!, ids, await state.raised());
  }
  if (collections.length > 0) {
    await state.raised();
    const ids = collections.map(({ collectionId }) => collectionId);
    await withdrawCollections(state.executor, ids);
  }
}
