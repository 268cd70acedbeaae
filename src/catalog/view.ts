import { setImmediate as nextLoopIteration } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Capability } from '../contract/scopes.ts';
import type { Listing as ListingOnWire } from '../contract/partner/schemas/listing.ts';
import type { Effects } from '../contract/sandbox/effects.ts';
import type { Site } from '../contract/partner/schemas/site.ts';
import type { EpochMs } from '../contract/time.ts';
import type { Environment } from '../contract/wire.ts';
import { contentDigest, etagOf } from '../platform/etag.ts';
import { createSlices } from '../platform/slices.ts';
import { acceptedPolicies, type Image, type Listing, termsSource } from '../pricing/index.ts';
import { pictureUrl } from './pictures/names.ts';
import { indexAfter, type SortKey } from './sort-key.ts';
import type { Segment } from './search-index/segment.ts';
import { segmentsOf } from './search-index/segments.ts';
import type { StoredCatalog } from './store/catalogs.ts';
import type { PlaceInCatalog } from './store/places.ts';
import type { Home } from './store/listing-rows.ts';
import type { StoredHome } from './store/listings.ts';

/** A listing of a catalog with its response and digests, computed once per change. */
export interface PublishedListing {
  /** The home as it is stored. */
  home: Home;
  listing: Listing;
  sortKey: SortKey;
  /** The JSON of the response. */
  bytes: Buffer;
  etag: string;
  /** A digest of the terms that a guest accepts: equal terms have equal versions. */
  termsVersion: string;
}

/** A ready response body with its entity tag. */
export interface TaggedBytes {
  bytes: Buffer;
  etag: string;
}

/** A catalog at one moment; a change replaces it with another view. */
export interface CatalogView {
  catalogId: string;
  /** The revision of its last change. */
  revision: number;
  /** When it last changed: the same in every process. */
  changedAt: EpochMs;
  /** The cancellation policy of homes without a text of their own. */
  cancellationText: StoredCatalog['cancellationText'];
  /** Sorted by sort key. */
  listings: readonly PublishedListing[];
  find(listingId: string): PublishedListing | undefined;
  /** The listings of a collection, sorted by sort key; undefined: all listings. */
  within(collectionId: string | undefined): readonly PublishedListing[];
  /** The listings in their order, divided into segments that are prepared for searches. */
  segments(): readonly Segment[];
  /** The site response for an application with these grants. */
  site(grants: readonly Capability[]): TaggedBytes;
  /** Returns the cached page of this key, or builds and caches it. */
  page(key: string, build: () => TaggedBytes): TaggedBytes;
}

/** A view that the next one can be made from. */
export interface KnownView extends CatalogView {
  /** Shared by all views of a catalog, and kept in sync with the latest. */
  readonly byId: Map<string, PublishedListing>;
  /** Shared by all views of a catalog: the segments that were made last. */
  readonly lastSegments: { current: readonly Segment[] };
}

// A few milliseconds of work.
const publishedAtOnce = 100;

const sameText = (
  one: StoredCatalog['cancellationText'],
  other: StoredCatalog['cancellationText'],
): boolean => one?.label === other?.label && one?.body === other?.body;

/**
 * The changes of a catalog with those that its cancellation policy causes. `known` has the text with which listings
 * were published before, `texts` that of the changes. Lets other work run where there are many.
 */
export async function withCatalogText(
  { catalogId, cancellationText }: StoredCatalog,
  known: KnownView | undefined,
  texts: ReadonlyMap<string, StoredCatalog['cancellationText']>,
  changes: ListingChanges,
  baseUrl: string,
): Promise<ListingChanges> {
  const before = known?.cancellationText ?? null;
  const isSame = sameText(before, cancellationText);
  const areRight = sameText(texts.get(catalogId) ?? null, cancellationText);
  if (isSame && areRight) return changes;
  const again = ({ home, listing, sortKey }: PublishedListing): PublishedListing => {
    const at = { collectionId: listing.collectionId, position: sortKey.position };
    return publish({ home }, at, baseUrl, cancellationText);
  };
  const all = new Map<string, PublishedListing | null>();
  const slices = createSlices(publishedAtOnce);
  for (const published of isSame ? [] : (known?.listings ?? [])) {
    all.set(published.sortKey.listingId, again(published));
    const pause = slices.spend(1);
    if (pause) await pause;
  }
  for (const [listingId, changed] of changes) {
    all.set(listingId, changed && again(changed));
    const pause = slices.spend(1);
    if (pause) await pause;
  }
  return all;
}

/** Changed listings by ID; null: the catalog no longer sells it. */
export type ListingChanges = ReadonlyMap<string, PublishedListing | null>;

/** The installation, as responses show it. */
export interface Installation {
  environment: Environment;
  baseUrl: string;
}

// One list for all unknown collections, because what is derived from a list is remembered with it.
// Spec: LISTING-8.
const noListings: readonly PublishedListing[] = [];

// About 60 KB each; most partners read the same first pages.
const cachedPages = 100;

const imageOnWire = (image: Image, baseUrl: string): ListingOnWire['images'][number] => ({
  url: pictureUrl(image, baseUrl),
  alt: image.alt,
});

function onWire(listing: Listing, baseUrl: string): ListingOnWire {
  return {
    listingId: listing.listingId,
    slug: listing.slug,
    name: listing.name,
    description: listing.description,
    blurb: listing.blurb,
    collectionId: listing.collectionId,
    timeZone: listing.timeZone,
    destination: listing.destination,
    sleeps: listing.sleeps,
    bedrooms: listing.bedrooms,
    bathrooms: listing.bathrooms,
    checkInFrom: listing.checkInFrom,
    checkOutUntil: listing.checkOutUntil,
    images: listing.images.map((image) => imageOnWire(image, baseUrl)),
    amenities: listing.amenities,
    policies: acceptedPolicies(listing),
    spaces: listing.spaces,
    geo: listing.geo,
    indexable: listing.indexable,
    propertyType: listing.propertyType ?? null,
    registrationNumber: listing.registration?.number ?? null,
    partyRules: { maxGuests: listing.sleeps, ...listing.party },
    maxNights: listing.stayRules.maxNights,
  };
}

/** Builds the listing of a home at its place in a catalog. */
export function publish(
  { home }: Pick<StoredHome, 'home'>,
  { collectionId, position }: Omit<PlaceInCatalog, 'catalogId'>,
  baseUrl: string,
  cancellationText: StoredCatalog['cancellationText'] = null,
): PublishedListing {
  const listing: Listing = {
    ...home,
    collectionId,
    // That of the home goes before that of the catalog.
    ...(cancellationText && !home.cancellationText && { cancellationText }),
  };
  const sortKey = { position, listingId: listing.listingId };
  const bytes = Buffer.from(JSON.stringify(onWire(listing, baseUrl)));
  const termsVersion = contentDigest(JSON.stringify(termsSource(listing)));
  return { home, listing, sortKey, bytes, etag: etagOf(bytes), termsVersion };
}

/** A home as an application meets it that runs a scenario: with a further term, priced in another currency. */
export function withEffects(
  published: PublishedListing,
  { terms, currency }: Pick<Effects, 'terms' | 'currency'>,
): PublishedListing {
  if (terms === undefined && currency === undefined) return published;
  const { policies } = published.listing;
  const listing = {
    ...published.listing,
    ...(terms !== undefined && { policies: [...policies, { label: 'Sandbox', body: terms }] }),
    ...(currency !== undefined && { currency }),
  };
  const termsVersion = contentDigest(JSON.stringify(termsSource(listing)));
  const shown = JSON.parse(published.bytes.toString()) as ListingOnWire;
  const bytes = Buffer.from(JSON.stringify({ ...shown, policies: acceptedPolicies(listing) }));
  return { ...published, listing, bytes, etag: etagOf(bytes), termsVersion };
}

const bySortKey = (one: PublishedListing, other: PublishedListing): number =>
  one.sortKey.position - other.sortKey.position ||
  (one.sortKey.listingId < other.sortKey.listingId ? -1 : 1);

const traderOnWire = (trader: StoredCatalog['trader']): Site['trader'] =>
  trader && {
    name: trader.name,
    address: trader.address,
    email: trader.email ?? null,
    phone: trader.phone ?? null,
    registrationNumber: trader.registrationNumber ?? null,
  };

function siteBytes(
  storedCatalog: StoredCatalog,
  environment: Environment,
  grants: readonly Capability[],
): TaggedBytes {
  const body: Site = {
    name: storedCatalog.name,
    slug: storedCatalog.slug,
    environment,
    discovery: storedCatalog.discovery,
    capabilities: [...grants],
    collections: storedCatalog.collections,
    policies: storedCatalog.policies,
    standards: storedCatalog.standards,
    trader: traderOnWire(storedCatalog.trader),
  };
  const bytes = Buffer.from(JSON.stringify(body));
  return { bytes, etag: etagOf(bytes) };
}

// From this many changes on, sorting everything is faster than moving the rest of the list for each.
const fewChanges = 100;

/** Removes and inserts single listings: a copy of the list is the largest part of the work. */
function withFewChanges(
  listings: readonly PublishedListing[],
  byId: ReadonlyMap<string, PublishedListing>,
  changes: ListingChanges,
): PublishedListing[] {
  const next = [...listings];
  for (const [listingId, changed] of changes) {
    const before = byId.get(listingId);
    if (before) next.splice(indexAfter(next, before.sortKey) - 1, 1);
    if (changed) next.splice(indexAfter(next, changed.sortKey), 0, changed);
  }
  return next;
}

// A few milliseconds of work.
const sortedAtOnce = 4_000;

async function withManyChanges(
  listings: readonly PublishedListing[],
  changes: ListingChanges,
): Promise<PublishedListing[]> {
  const kept = listings.filter(({ sortKey }) => !changes.has(sortKey.listingId));
  const changed = [...changes.values()].filter((listing) => listing !== null);
  let runs = [kept];
  for (let from = 0; from < changed.length; from += sortedAtOnce) {
    runs.push(changed.slice(from, from + sortedAtOnce).toSorted(bySortKey));
    await nextLoopIteration();
  }
  while (runs.length > 1) {
    const merged: PublishedListing[][] = [];
    for (let at = 0; at < runs.length; at += 2) {
      // Sorting two lists that are sorted is merging them.
      merged.push([...runs[at]!, ...(runs[at + 1] ?? [])].toSorted(bySortKey));
      await nextLoopIteration();
    }
    runs = merged;
  }
  return runs[0]!;
}

/** The listings of the view before (absent: none) with changes. Lets other work run where there are many. */
export async function changedListings(
  known: KnownView | undefined,
  changes: ListingChanges,
): Promise<readonly PublishedListing[]> {
  const { listings, byId } = known ?? { listings: [], byId: new Map<string, never>() };
  if (changes.size === 0) return listings;
  return changes.size < fewChanges
    ? withFewChanges(listings, byId, changes)
    : withManyChanges(listings, changes);
}

const foundAtOnce = 10_000;

/** Changes what all views of a catalog find by ID. Lets other work run where there are many changes. */
export async function changeFound(
  { byId }: Pick<KnownView, 'byId'>,
  changes: ListingChanges,
): Promise<void> {
  let done = 0;
  for (const [listingId, changed] of changes) {
    if (changed) byId.set(listingId, changed);
    else byId.delete(listingId);
    done += 1;
    if (done % foundAtOnce === 0) await nextLoopIteration();
  }
}

/** Builds the view of a catalog with these listings. `changeFound` then makes it find them by ID. */
export function makeView(
  storedCatalog: StoredCatalog,
  known: KnownView | undefined,
  listings: readonly PublishedListing[],
  { environment }: Installation,
): KnownView {
  const byId = known?.byId ?? new Map<string, PublishedListing>();
  const sites = new Map<string, TaggedBytes>();
  const lastSegments = known?.lastSegments ?? { current: [] };
  let segments: readonly Segment[] | null = null;
  const pages = new LRUCache<string, TaggedBytes>({ max: cachedPages });
  let byCollection: Map<string | null, PublishedListing[]> | null = null;

  function ofCollection(collectionId: string): readonly PublishedListing[] {
    byCollection ??= Map.groupBy(listings, ({ listing }) => listing.collectionId);
    return byCollection.get(collectionId) ?? noListings;
  }

  return {
    catalogId: storedCatalog.catalogId,
    revision: storedCatalog.revision,
    changedAt: storedCatalog.changedAt,
    cancellationText: storedCatalog.cancellationText,
    listings,
    byId,
    lastSegments,
    segments: () =>
      (segments ??= lastSegments.current = segmentsOf(listings, lastSegments.current)),
    find: (listingId) => byId.get(listingId),
    within: (collectionId) => (collectionId === undefined ? listings : ofCollection(collectionId)),
    site(grants) {
      const key = grants.join();
      const site = sites.get(key) ?? siteBytes(storedCatalog, environment, grants);
      sites.set(key, site);
      return site;
    },
    page(key, build) {
      const page = pages.get(key) ?? build();
      pages.set(key, page);
      return page;
    },
  };
}
