import { LRUCache } from 'lru-cache';
import type { Capability } from '../contract/scopes.ts';
import type { Listing as ListingOnWire } from '../contract/partner/schemas/listing.ts';
import type { Site } from '../contract/partner/schemas/site.ts';
import type { Environment } from '../contract/wire.ts';
import type { CatalogRecords, PlacedListing } from './store/catalog.ts';
import { acceptedPolicies, type Image, type Listing, termsSource } from '../pricing/index.ts';
import type { EpochMs } from '../contract/time.ts';
import { contentDigest, etagOf } from '../platform/etag.ts';

/** The sort key of a listing. It does not change when other listings are added or removed. */
export interface Place {
  position: number;
  listingId: string;
}

/** A listing with its response and digests, computed once per change. */
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

/** The whole catalog at one revision. */
export interface CatalogSnapshot {
  revision: number;
  /** When this revision was committed: the same in every process. */
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

function publish({ listing, position }: PlacedListing, baseUrl: string): PublishedListing {
  const place = { position, listingId: listing.listingId };
  const bytes = Buffer.from(JSON.stringify(onWire(listing, baseUrl)));
  const termsVersion = contentDigest(JSON.stringify(termsSource(listing)));
  return { listing, place, bytes, etag: etagOf(bytes), termsVersion };
}

/** Builds the snapshot of the records, with its responses. */
export function makeSnapshot(
  records: CatalogRecords,
  environment: Environment,
  baseUrl: string,
): CatalogSnapshot {
  const listings = records.listings.map((placed) => publish(placed, baseUrl));
  const byId = new Map(listings.map((entry) => [entry.listing.listingId, entry]));
  const byCollection = Map.groupBy(listings, (entry) => entry.listing.collectionId);
  const sites = new Map<string, TaggedBytes>();

  function makeSite(grants: readonly Capability[]): TaggedBytes {
    const { site } = records;
    if (!site) throw new Error('the catalog has no site');
    const collections = records.collections.map(({ position: _, ...collection }) => collection);
    const body: Site = {
      name: site.name,
      slug: site.slug,
      environment,
      discovery: site.discovery,
      capabilities: [...grants],
      collections,
      policies: site.policies,
      standards: site.standards,
    };
    const bytes = Buffer.from(JSON.stringify(body));
    return { bytes, etag: etagOf(bytes) };
  }

  const pages = new LRUCache<string, TaggedBytes>({ max: cachedPages });

  function buildPage(key: string, build: () => TaggedBytes): TaggedBytes {
    const page = build();
    pages.set(key, page);
    return page;
  }

  return {
    revision: records.revision,
    changedAt: records.changedAt,
    listings,
    find: (listingId) => byId.get(listingId),
    within: (collectionId) =>
      collectionId === undefined ? listings : (byCollection.get(collectionId) ?? []),
    site(grants) {
      const key = grants.join();
      const site = sites.get(key) ?? makeSite(grants);
      sites.set(key, site);
      return site;
    },
    page: (key, build) => pages.get(key) ?? buildPage(key, build),
  };
}
