import { LRUCache } from 'lru-cache';
import type { Capability } from '../contract/scopes.ts';
import type { Listing as ListingOnWire } from '../contract/partner/schemas/listing.ts';
import type { Site } from '../contract/partner/schemas/site.ts';
import type { Environment } from '../contract/wire.ts';
import type { CatalogRecords, PlacedListing } from './store/catalog.ts';
import { acceptedPolicies, type Image, type Listing, termsSource } from '../pricing/index.ts';
import type { EpochMs } from '../contract/time.ts';
import { contentDigest, etagOf } from '../platform/etag.ts';

/** Where a home stands in the list. It stays when other homes come and go. */
export interface Place {
  position: number;
  listingId: string;
}

/** A listing with everything that is made once, when it changes. */
export interface SoldListing {
  listing: Listing;
  place: Place;
  /** The JSON that partners read. */
  bytes: Buffer;
  etag: string;
  /** Of the terms that a guest accepts: equal terms, equal versions. */
  termsVersion: string;
}

/** Bytes that are ready to be sent, with their tag. */
export interface TaggedBytes {
  bytes: Buffer;
  etag: string;
}

/** All that is sold, as it was at one moment. */
export interface CatalogSnapshot {
  revision: number;
  /** When it became what it is: the same in every process. */
  changedAt: EpochMs;
  /** In the order of the list. */
  listings: readonly SoldListing[];
  find(listingId: string): SoldListing | undefined;
  /** The listings of a collection, in order; all of them without one. */
  within(collectionId: string | undefined): readonly SoldListing[];
  /** The site as an application with these grants reads it. */
  site(grants: readonly Capability[]): TaggedBytes;
  /** A page that was asked for lately, or made now; the name tells it from every other page. */
  page(name: string, make: () => TaggedBytes): TaggedBytes;
}

// Some 60 KB each: everybody begins with the same few.
const pagesKept = 100;

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

function sold({ listing, position }: PlacedListing, baseUrl: string): SoldListing {
  const place = { position, listingId: listing.listingId };
  const bytes = Buffer.from(JSON.stringify(onWire(listing, baseUrl)));
  const termsVersion = contentDigest(JSON.stringify(termsSource(listing)));
  return { listing, place, bytes, etag: etagOf(bytes), termsVersion };
}

/** Makes the bytes of everything in the records. */
export function makeSnapshot(
  records: CatalogRecords,
  environment: Environment,
  baseUrl: string,
): CatalogSnapshot {
  const listings = records.listings.map((placed) => sold(placed, baseUrl));
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

  const pages = new LRUCache<string, TaggedBytes>({ max: pagesKept });

  function makePage(name: string, make: () => TaggedBytes): TaggedBytes {
    const page = make();
    pages.set(name, page);
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
      const name = grants.join();
      const made = sites.get(name) ?? makeSite(grants);
      sites.set(name, made);
      return made;
    },
    page: (name, make) => pages.get(name) ?? makePage(name, make),
  };
}
