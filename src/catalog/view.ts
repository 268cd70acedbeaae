import { LRUCache } from 'lru-cache';
import type { Capability } from '../contract/scopes.ts';
import type { Listing as ListingOnWire } from '../contract/partner/schemas/listing.ts';
import type { Site } from '../contract/partner/schemas/site.ts';
import type { EpochMs } from '../contract/time.ts';
import type { Environment } from '../contract/wire.ts';
import { contentDigest, etagOf } from '../platform/etag.ts';
import { acceptedPolicies, type Image, type Listing, termsSource } from '../pricing/index.ts';
import type { CatalogRecord } from './store/catalogs.ts';
import type { PlaceInCatalog, StoredHome } from './store/listings.ts';

/** The sort key of a listing. It does not change when other listings are added or removed. */
export interface Place {
  position: number;
  listingId: string;
}

/** A listing of a catalog with its response and digests, computed once per change. */
export interface PublishedListing {
  listing: Listing;
  place: Place;
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

/** A catalog at one moment; a change replaces it by another. */
export interface CatalogView {
  catalogId: string;
  /** The revision of its last change. */
  revision: number;
  /** When it last changed: the same in every process. */
  changedAt: EpochMs;
  /** Sorted by place. */
  listings: readonly PublishedListing[];
  find(listingId: string): PublishedListing | undefined;
  /** The listings of a collection, sorted by place; undefined: all listings. */
  within(collectionId: string | undefined): readonly PublishedListing[];
  /** The site response for an application with these grants. */
  site(grants: readonly Capability[]): TaggedBytes;
  /** Returns the cached page of this key, or builds and caches it. */
  page(key: string, build: () => TaggedBytes): TaggedBytes;
}

/** The installation, as responses show it. */
export interface Installation {
  environment: Environment;
  baseUrl: string;
}

// About 60 KB each; most partners read the same first pages.
const cachedPages = 100;

const imageOnWire = (image: Image, baseUrl: string): ListingOnWire['images'][number] =>
  'url' in image ? image : { url: `${baseUrl}/${image.file}`, alt: image.alt };

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
  };
}

/** Builds the listing of a home at its place in a catalog. */
export function publish(
  { home }: Pick<StoredHome, 'home'>,
  { collectionId, position }: Omit<PlaceInCatalog, 'catalogId'>,
  baseUrl: string,
): PublishedListing {
  const listing: Listing = { ...home, collectionId };
  const place = { position, listingId: listing.listingId };
  const bytes = Buffer.from(JSON.stringify(onWire(listing, baseUrl)));
  const termsVersion = contentDigest(JSON.stringify(termsSource(listing)));
  return { listing, place, bytes, etag: etagOf(bytes), termsVersion };
}

const byPlace = (one: PublishedListing, other: PublishedListing): number =>
  one.place.position - other.place.position ||
  (one.place.listingId < other.place.listingId ? -1 : 1);

function siteBytes(
  record: CatalogRecord,
  environment: Environment,
  grants: readonly Capability[],
): TaggedBytes {
  const body: Site = {
    name: record.name,
    slug: record.slug,
    environment,
    discovery: record.discovery,
    capabilities: [...grants],
    collections: record.collections,
    policies: record.policies,
    standards: record.standards,
  };
  const bytes = Buffer.from(JSON.stringify(body));
  return { bytes, etag: etagOf(bytes) };
}

/** Builds the view of a catalog with these listings. */
export function makeView(
  record: CatalogRecord,
  published: Iterable<PublishedListing>,
  { environment }: Installation,
): CatalogView {
  const listings = [...published].toSorted(byPlace);
  const byId = new Map(listings.map((entry) => [entry.listing.listingId, entry]));
  const sites = new Map<string, TaggedBytes>();
  const pages = new LRUCache<string, TaggedBytes>({ max: cachedPages });
  let byCollection: Map<string | null, PublishedListing[]> | null = null;

  function ofCollection(collectionId: string): readonly PublishedListing[] {
    byCollection ??= Map.groupBy(listings, ({ listing }) => listing.collectionId);
    return byCollection.get(collectionId) ?? [];
  }

  return {
    catalogId: record.catalogId,
    revision: record.revision,
    changedAt: record.changedAt,
    listings,
    find: (listingId) => byId.get(listingId),
    within: (collectionId) => (collectionId === undefined ? listings : ofCollection(collectionId)),
    site(grants) {
      const key = grants.join();
      const site = sites.get(key) ?? siteBytes(record, environment, grants);
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
