/** Homes added and changed by staff, one by one. */

import { seenRefusal } from '../access/index.ts';
import type { Seen } from '../api/seen.ts';
import { isRefusal, refuse, type Refusal } from '../contract/errors.ts';
import type { CatalogListing } from '../contract/catalog-file.ts';
import { refuseConflict } from '../contract/operator/errors.ts';
import { auditedChange } from '../platform/audit/audited-change.ts';
import type { Database } from '../platform/postgres/database.ts';
import { catalogFor } from './catalog-for.ts';
import { checkedEntry } from './checked-entry.ts';
import { collectionIdOf } from './collection-slugs.ts';
import type { ReadListing } from './file/entries.ts';
import { changedMembers, type MemberChange } from './import/difference.ts';
import { homeFor } from './listing-for.ts';
import { placeHome } from './offer-listing.ts';
import { listingInFull, type ListingInFull, readListing } from './read-listing.ts';
import { readCatalogs } from './store/catalogs.ts';
import { readIdentities } from './store/listings.ts';
import { insertDraftPlace, nextPosition } from './store/places.ts';
import { lockCatalog, markCatalogs, raiseRevision } from './store/revision.ts';
import { writeHomes } from './store/write-homes.ts';
import { addUnusual, nothingUnusual, unusualRefusal } from './unusual-prices.ts';

const mostAuditedMembers = 200;

/** Checks a home and fills in its defaults. Refuses it with every problem below `/listing`. */
export const checkedListing = (listing: CatalogListing): ReadListing | Refusal<'invalid_input'> =>
  checkedEntry('listings', listing, '/listing');

/** What the audit trail keeps of the members that change. */
export const audited = (members: readonly MemberChange[]) => ({
  members: members.slice(0, mostAuditedMembers),
  ...(members.length > mostAuditedMembers && { membersInAll: members.length }),
});

/** The changes of the place of a home in a catalog that sells it. */
function placeChanges(
  inFull: ListingInFull,
  catalog: string | undefined,
  collection: string | null,
): MemberChange[] {
  const place = inFull.places.find((each) => each.catalog === catalog);
  if (!place) return [];
  return changedMembers({ collection: place.collection }, { collection });
}

/** Refuses another slug or ID than the home has. Null: they are its own. */
function identityRefusal(
  { listingId, listing }: ListingInFull,
  read: ReadListing,
): Refusal<'invalid_input'> | null {
  if (read.slug !== listing.slug) {
    const message = `must be its existing slug: ${listing.slug}`;
    return refuse('invalid_input', { fields: [{ path: '/listing/slug', message }] });
  }
  if ((read.listingId ?? listingId) !== listingId) {
    const message = `must be its existing ID: ${listingId}`;
    return refuse('invalid_input', { fields: [{ path: '/listing/listingId', message }] });
  }
  return null;
}

/** A home to write in place of the one that was read. */
export interface ListingChange {
  /** Slug or ID. */
  name: string;
  /** The version that was read. */
  seen: Seen;
  /** The catalog of `listing.collection`; absent: the place stays. */
  catalog?: string | undefined;
  /** Take its prices also where they are unusual. */
  allowUnusual?: boolean | undefined;
  listing: CatalogListing;
}

/**
 * Replaces everything about a home, as an import of a file with only this home would. Writes only what
 * differs.
 */
export async function changeListing(
  database: Database,
  actor: string,
  { name, seen, catalog, allowUnusual = false, listing }: ListingChange,
): Promise<
  ListingInFull | Refusal<'invalid_input' | 'not_found' | 'conflict' | 'precondition_failed'>
> {
  const read = checkedListing(listing);
  if (isRefusal(read)) return read;
  const done = await auditedChange(
    database,
    async (executor) => {
      const now = await lockCatalog(executor);
      const stored = await homeFor(executor, name);
      if (isRefusal(stored)) return stored;
      const catalogs = await readCatalogs(executor);
      const inFull = listingInFull(stored, catalogs, catalog);
      const refusal =
        seenRefusal(seen, inFull.version, inFull.listing.slug) ?? identityRefusal(inFull, read);
      if (refusal) return refusal;
      const { collection, ...home } = { ...read, listingId: inFull.listingId };
      const members = changedMembers(stored.home, home);
      const placed = placeChanges(inFull, catalog, collection);
      if (members.length + placed.length === 0) return { slug: home.slug, members: [] };
      const unusual = nothingUnusual();
      addUnusual(unusual, stored.home, home, now);
      const tooUnusual = unusualRefusal(unusual, allowUnusual);
      if (tooUnusual) return tooUnusual;
      const revision = await raiseRevision(executor);
      const before = new Map([[home.slug, stored.home]]);
      if (members.length > 0) await writeHomes(executor, [home], before, revision);
      if (placed.length > 0) {
        const storedCatalog = catalogs.find((each) => each.slug === catalog)!;
        const collectionId = collectionIdOf(storedCatalog, collection, '/listing/collection');
        if (isRefusal(collectionId)) return collectionId;
        await placeHome(
          executor,
          storedCatalog,
          { listingId: inFull.listingId, collectionId },
          revision,
        );
      }
      await markCatalogs(executor, revision, []);
      return { slug: home.slug, members: [...members, ...placed] };
    },
    ({ slug, members }) =>
      members.length === 0
        ? []
        : {
            actor,
            action: 'listing.change',
            details: { listing: slug, ...audited(members) },
          },
  );
  return isRefusal(done) ? done : readListing(database, name, catalog);
}

const needsTimeZone = refuse('invalid_input', {
  fields: [
    {
      path: '/listing/timeZone',
      message: 'is needed, as Europe/Lisbon: arrivals and due days are counted in it',
    },
  ],
});

/** Adds a home to a catalog (absent: the only one), for sale or as a draft. Refuses one whose slug or ID exists. */
export async function addListing(
  database: Database,
  actor: string,
  {
    catalog,
    draft = false,
    listing,
  }: { catalog?: string | undefined; draft?: boolean | undefined; listing: CatalogListing },
): Promise<ListingInFull | Refusal<'invalid_input' | 'not_found' | 'conflict'>> {
  const read = checkedListing(listing);
  if (isRefusal(read)) return read;
  const { collection, ...home } = read;
  if (home.timeZone === null) return needsTimeZone;
  const done = await auditedChange(
    database,
    async (executor) => {
      await lockCatalog(executor);
      const storedCatalog = await catalogFor(executor, catalog);
      if (isRefusal(storedCatalog)) return storedCatalog;
      const ids = home.listingId === null ? [] : [home.listingId];
      const [other] = await readIdentities(executor, [home.slug], ids);
      if (other) {
        return refuseConflict(`There is a listing ${other.slug} already: ${other.id}.`);
      }
      const collectionId = collectionIdOf(storedCatalog, collection, '/listing/collection');
      if (isRefusal(collectionId)) return collectionId;
      const revision = await raiseRevision(executor);
      const written = await writeHomes(executor, [home], new Map(), revision);
      const listingId = written.get(home.slug)!;
      const { catalogId } = storedCatalog;
      const place = { listingId, collectionId };
      if (draft) {
        const position = await nextPosition(executor, catalogId);
        await insertDraftPlace(executor, { catalogId, ...place, position });
      } else await placeHome(executor, storedCatalog, place, revision);
      await markCatalogs(executor, revision, [catalogId]);
      return { catalog: storedCatalog.slug };
    },
    ({ catalog: slug }) => ({
      actor,
      action: 'listing.add',
      details: { listing: home.slug, catalog: slug, ...(draft && { draft }) },
    }),
  );
  return isRefusal(done) ? done : readListing(database, home.slug, catalog);
}
