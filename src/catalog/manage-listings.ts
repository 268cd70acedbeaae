/** Homes by staff: read, added, changed, sold and withdrawn one by one. */

import {
  checkSeen,
  invalidInput,
  OperatorRefusal,
  pageForStaff,
  type PageOfStaff,
  type PageRequest,
} from '../access/index.ts';
import type { Seen } from '../api/seen.ts';
import type { CatalogListing } from '../contract/catalog-file.ts';
import type { AuditAction } from '../contract/operator/audit-actions.ts';
import { auditedChange } from '../platform/audit/audited-change.ts';
import type { AuditEntry } from '../platform/audit/audit-entries.ts';
import type { Database, Executor } from '../platform/postgres/database.ts';
import { catalogFor } from './catalog-for.ts';
import { checkedEntry } from './checked-entry.ts';
import type { ReadListing } from './file/entries.ts';
import { listingInFile } from './export-catalog.ts';
import { changedMembers, type MemberChange } from './import/difference.ts';
import { homeFor } from './listing-for.ts';
import { type CatalogRecord, readCatalogs } from './store/catalogs.ts';
import { readIdentities, type StoredHome } from './store/listings.ts';
import {
  findPlace,
  listWithdrawn,
  nextPosition,
  type WithdrawnListing,
  type WithdrawnPlace,
  withdrawListings,
  writePlaces,
} from './store/places.ts';
import { writeHomes } from './store/write-homes.ts';
import { lockCatalog, markCatalogs, raiseRevision } from './store/revision.ts';

/** A home as staff read it. */
export interface ListingFile {
  listingId: string;
  /** Rises with each change of the home. */
  version: number;
  /** The catalog of `listing.collection`; null: no catalog sells the home. */
  catalog: string | null;
  listing: CatalogListing;
  places: { catalog: string; collection: string | null }[];
}

const mostAuditedMembers = 200;

const slugOfCollection = ({ collections }: CatalogRecord, id: string | null): string | null =>
  collections.find(({ collectionId }) => collectionId === id)?.slug ?? null;

function fileOf(
  { home, places, revision }: StoredHome,
  catalogs: readonly CatalogRecord[],
  catalog: string | undefined,
): ListingFile {
  const placed = places.map(({ catalogId, collectionId }) => {
    const record = catalogs.find((each) => each.catalogId === catalogId)!;
    return { catalog: record.slug, collection: slugOfCollection(record, collectionId) };
  });
  const shown = placed.find((place) => place.catalog === catalog) ?? placed[0];
  return {
    listingId: home.listingId,
    version: revision,
    catalog: shown?.catalog ?? null,
    listing: listingInFile(home, shown?.collection ?? null),
    places: placed,
  };
}

/** Reads a home, with its collection in a catalog (absent: the first that sells it). Throws `OperatorRefusal`. */
export async function readListing(
  executor: Executor,
  name: string,
  catalog?: string,
): Promise<ListingFile> {
  return fileOf(await homeFor(executor, name), await readCatalogs(executor), catalog);
}

/** Checks a home and fills in its defaults. Throws `RefusalError` with every problem below `/listing`. */
export const checkedListing = (listing: CatalogListing): ReadListing =>
  checkedEntry('listings', listing, '/listing');

/** `path`: the member of the request that names the collection. */
function collectionIdOf(
  { slug: catalog, collections }: CatalogRecord,
  slug: string | null,
  path: '/listing/collection' | '/collection',
): string | null {
  if (slug === null) return null;
  const found = collections.find((each) => each.slug === slug);
  if (found) return found.collectionId;
  throw invalidInput({ path, message: `there is no collection ${slug} in the catalog ${catalog}` });
}

const entryFor = (
  actor: string,
  action: AuditAction,
  details: Record<string, unknown>,
): AuditEntry => ({ actor, action, applicationId: null, details });

const audited = (members: readonly MemberChange[]) => ({
  members: members.slice(0, mostAuditedMembers),
  ...(members.length > mostAuditedMembers && { membersInAll: members.length }),
});

/** Offers a home in a catalog, at its former position or at the end. */
async function placeHome(
  executor: Executor,
  { catalogId }: CatalogRecord,
  { listingId, collectionId }: { listingId: string; collectionId: string | null },
  revision: number,
): Promise<void> {
  const known = await findPlace(executor, catalogId, listingId);
  const position = known?.position ?? (await nextPosition(executor, catalogId));
  await writePlaces(executor, catalogId, [{ listingId, collectionId, position }], revision);
}

/** The changes of the place of a home in a catalog that sells it. */
function placeChanges(
  file: ListingFile,
  catalog: string | undefined,
  collection: string | null,
): MemberChange[] {
  const place = file.places.find((each) => each.catalog === catalog);
  if (!place) return [];
  return changedMembers({ collection: place.collection }, { collection });
}

function checkIdentity({ listingId, listing }: ListingFile, read: ReadListing): void {
  if (read.slug !== listing.slug) {
    const message = `must be its existing slug: ${listing.slug}`;
    throw invalidInput({ path: '/listing/slug', message });
  }
  if ((read.listingId ?? listingId) !== listingId) {
    const message = `must be its existing ID: ${listingId}`;
    throw invalidInput({ path: '/listing/listingId', message });
  }
}

/** A home to write in place of the one that was read. */
export interface ListingChange {
  /** Slug or ID. */
  name: string;
  /** The version that was read. */
  seen: Seen;
  /** The catalog of `listing.collection`; absent: the place stays. */
  catalog?: string | undefined;
  listing: CatalogListing;
}

/**
 * Replaces everything about a home, as an import of a file with only this home would. Writes only what
 * differs. Throws `OperatorRefusal`: `precondition_failed` if the home has another version by now.
 */
export async function changeListing(
  database: Database,
  actor: string,
  { name, seen, catalog, listing }: ListingChange,
): Promise<ListingFile> {
  const read = checkedListing(listing);
  await auditedChange(
    database,
    async (executor) => {
      await lockCatalog(executor);
      const stored = await homeFor(executor, name);
      const catalogs = await readCatalogs(executor);
      const file = fileOf(stored, catalogs, catalog);
      checkSeen(seen, file.version, `The version of ${file.listing.slug}`);
      checkIdentity(file, read);
      const { collection, ...home } = { ...read, listingId: file.listingId };
      const members = changedMembers(stored.home, home);
      const placed = placeChanges(file, catalog, collection);
      if (members.length + placed.length === 0) return { slug: home.slug, members: [] };
      const revision = await raiseRevision(executor);
      if (members.length > 0) await writeHomes(executor, [home], revision);
      if (placed.length > 0) {
        const record = catalogs.find((each) => each.slug === catalog)!;
        const collectionId = collectionIdOf(record, collection, '/listing/collection');
        await placeHome(executor, record, { listingId: file.listingId, collectionId }, revision);
      }
      await markCatalogs(executor, revision, []);
      return { slug: home.slug, members: [...members, ...placed] };
    },
    ({ slug, members }) =>
      members.length === 0
        ? []
        : entryFor(actor, 'listing.change', { listing: slug, ...audited(members) }),
  );
  return readListing(database, name, catalog);
}

/** Adds a home to a catalog (absent: the only one). Throws `OperatorRefusal` if its slug or ID exists. */
export async function addListing(
  database: Database,
  actor: string,
  { catalog, listing }: { catalog?: string | undefined; listing: CatalogListing },
): Promise<ListingFile> {
  const { collection, ...home } = checkedListing(listing);
  await auditedChange(
    database,
    async (executor) => {
      await lockCatalog(executor);
      const record = await catalogFor(executor, catalog);
      const ids = home.listingId === null ? [] : [home.listingId];
      const [other] = await readIdentities(executor, [home.slug], ids);
      if (other)
        throw new OperatorRefusal(`There is a listing ${other.slug} already: ${other.id}.`);
      const collectionId = collectionIdOf(record, collection, '/listing/collection');
      const revision = await raiseRevision(executor);
      const written = await writeHomes(executor, [home], revision);
      const listingId = written.get(home.slug)!;
      await placeHome(executor, record, { listingId, collectionId }, revision);
      await markCatalogs(executor, revision, [record.catalogId]);
      return { catalog: record.slug };
    },
    ({ catalog: slug }) => entryFor(actor, 'listing.add', { listing: home.slug, catalog: slug }),
  );
  return readListing(database, home.slug, catalog);
}

/** Which home to sell in which catalog; absent: the only one. */
export interface ListingPlace {
  /** Slug or ID. */
  name: string;
  catalog?: string | undefined;
}

/**
 * Sells a home in a catalog. Changes nothing if the catalog already sells it there. Throws `OperatorRefusal`.
 *
 * @param place.collection absent: the one that it had in this catalog
 */
export async function offerListing(
  database: Database,
  actor: string,
  { name, catalog, collection }: ListingPlace & { collection?: string | null | undefined },
): Promise<ListingFile> {
  await auditedChange(
    database,
    async (executor) => {
      await lockCatalog(executor);
      const { home, places } = await homeFor(executor, name);
      const record = await catalogFor(executor, catalog);
      const { listingId } = home;
      const known = await findPlace(executor, record.catalogId, listingId);
      const collectionId =
        collection === undefined
          ? (known?.collectionId ?? null)
          : collectionIdOf(record, collection, '/collection');
      const place = places.find((each) => each.catalogId === record.catalogId);
      const details = {
        listing: home.slug,
        catalog: record.slug,
        // Null: the catalog did not sell it.
        before: place ? { collection: slugOfCollection(record, place.collectionId) } : null,
        after: { collection: slugOfCollection(record, collectionId) },
      };
      if (place?.collectionId === collectionId) return { isNew: false, details };
      const revision = await raiseRevision(executor);
      await placeHome(executor, record, { listingId, collectionId }, revision);
      await markCatalogs(executor, revision, [record.catalogId]);
      return { isNew: true, details };
    },
    ({ isNew, details }) => (isNew ? entryFor(actor, 'listing.offer', details) : []),
  );
  return readListing(database, name, catalog);
}

/** Withdraws a home from sale in a catalog; reservations and blocks stay. Throws `OperatorRefusal`. */
export async function withdrawListing(
  database: Database,
  actor: string,
  { name, catalog }: ListingPlace,
): Promise<ListingFile> {
  await auditedChange(
    database,
    async (executor) => {
      await lockCatalog(executor);
      const { home, places } = await homeFor(executor, name);
      const record = await catalogFor(executor, catalog);
      const { catalogId, slug } = record;
      const place = places.find((each) => each.catalogId === catalogId);
      if (!place) throw new OperatorRefusal(`The catalog ${slug} does not sell ${home.slug}.`);
      const revision = await raiseRevision(executor);
      await withdrawListings(executor, catalogId, [home.listingId], revision);
      await markCatalogs(executor, revision, [catalogId]);
      const before = { collection: slugOfCollection(record, place.collectionId) };
      return { listing: home.slug, catalog: slug, before };
    },
    (details) => entryFor(actor, 'listing.withdraw', details),
  );
  return readListing(database, name);
}

/** A home that a catalog no longer sells, as staff read it. */
export interface WithdrawnHome extends Pick<
  WithdrawnListing,
  'listingId' | 'slug' | 'name' | 'destination' | 'withdrawnAt'
> {
  catalog: string;
  /** The slug of the collection that it belonged to. */
  collection: string | null;
}

/**
 * Lists the homes that a catalog (absent: the only one) no longer sells, the latest first. Throws
 * `OperatorRefusal`.
 */
export async function listWithdrawnListings(
  executor: Executor,
  catalog: string | undefined,
  page: PageRequest,
): Promise<PageOfStaff<WithdrawnHome>> {
  const record = await catalogFor(executor, catalog);
  const { catalogId } = record;
  const { items, nextCursor } = await pageForStaff(
    executor.vault,
    {
      operation: 'staff.withdrawn.list',
      filters: { catalogId },
      read: (after: WithdrawnPlace | null, atMost) =>
        listWithdrawn(executor, catalogId, after, atMost),
      placeOf: ({ exactlyAt, listingId }) => ({ exactlyAt, listingId }),
    },
    page,
  );
  const homes = items.map(({ exactlyAt: _, collectionId, ...home }) => ({
    ...home,
    catalog: record.slug,
    collection: slugOfCollection(record, collectionId),
  }));
  return { items: homes, nextCursor };
}
