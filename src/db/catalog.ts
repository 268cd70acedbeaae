import type { EpochMs } from '../domain/booking.ts';
import type { Listing, Policy } from '../domain/listing.ts';
import { type Executor, type Statement } from './database.ts';

export interface SiteRecord {
  name: string;
  slug: string;
  discovery: 'brand' | 'portfolio';
  policies: Policy[];
  standards: Policy[];
}

export interface CollectionRecord {
  collectionId: string;
  slug: string;
  name: string;
  description: string | null;
  position: number;
}

/** A home with its place in the list: homes of one position follow each other by ID. */
export interface PlacedListing {
  position: number;
  listing: Listing;
}

/** Everything that is sold, read in one moment. */
export interface CatalogRecords {
  revision: number;
  /** When it became what it is. */
  changedAt: EpochMs;
  site: SiteRecord | null;
  collections: CollectionRecord[];
  /** In the order of the list. */
  listings: PlacedListing[];
}

interface ListingRow {
  listing_id: string;
  position: number;
  slug: string;
  collection_id: string | null;
  name: string;
  description: string | null;
  blurb: string | null;
  time_zone: string | null;
  destination: string | null;
  sleeps: number | null;
  bedrooms: number | null;
  bathrooms: number | null;
  pictures: Listing['pictures'];
  amenities: string[];
  policies: Policy[];
  spaces: Listing['spaces'];
  latitude: number | null;
  longitude: number | null;
  indexable: boolean;
  rates: Listing['rates'];
  party_rules: Listing['partyRules'];
  stay_rules: Listing['stayRules'];
  cancellation: Listing['cancellation'];
}

const listingOf = (row: ListingRow): Listing => ({
  listingId: row.listing_id,
  slug: row.slug,
  name: row.name,
  description: row.description,
  blurb: row.blurb,
  collectionId: row.collection_id,
  timeZone: row.time_zone,
  destination: row.destination,
  sleeps: row.sleeps,
  bedrooms: row.bedrooms,
  bathrooms: row.bathrooms,
  pictures: row.pictures,
  amenities: row.amenities,
  policies: row.policies,
  spaces: row.spaces,
  geo:
    row.latitude === null || row.longitude === null
      ? null
      : { latitude: row.latitude, longitude: row.longitude },
  indexable: row.indexable,
  rates: row.rates,
  partyRules: row.party_rules,
  stayRules: row.stay_rules,
  cancellation: row.cancellation,
});

const revisionStatement: Statement = {
  name: 'catalog-revision',
  text: 'SELECT revision FROM catalog_revision',
};

/** The number that moves whenever the catalog changes. */
export async function catalogRevision(executor: Executor): Promise<number> {
  const [row] = await executor.query<{ revision: number }>(revisionStatement);
  return row!.revision;
}

// One statement is one moment: the content is that of the revision beside it.
const readStatement: Statement = {
  name: 'read-catalog',
  text: `SELECT r.revision, r.changed_at,
      (SELECT to_json(s) FROM (SELECT name, slug, discovery, policies, standards FROM site) s) AS site,
      (SELECT coalesce(json_agg(c ORDER BY c.position, c."collectionId"), '[]') FROM (
        SELECT collection_id AS "collectionId", slug, name, description, position FROM collections
      ) c) AS collections,
      (SELECT coalesce(json_agg(l ORDER BY l.position, l.listing_id), '[]') FROM listings l) AS listings
    FROM catalog_revision r`,
};

interface CatalogRow {
  revision: number;
  changed_at: EpochMs;
  site: SiteRecord | null;
  collections: CollectionRecord[];
  listings: ListingRow[];
}

/** Reads the whole catalog, as it was at one moment. */
export async function readCatalog(executor: Executor): Promise<CatalogRecords> {
  const [row] = await executor.query<CatalogRow>(readStatement);
  const { revision, changed_at: changedAt, site, collections, listings } = row!;
  return {
    revision,
    changedAt,
    site,
    collections,
    listings: listings.map((listing) => ({
      position: listing.position,
      listing: listingOf(listing),
    })),
  };
}

const insertSiteStatement: Statement = {
  name: 'insert-site',
  text: `INSERT INTO site (name, slug, discovery, policies, standards) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT DO NOTHING RETURNING name`,
};

/** Writes the site of an empty catalog; false: another process has done so meanwhile. */
export async function insertSite(executor: Executor, site: SiteRecord): Promise<boolean> {
  const inserted = await executor.query(insertSiteStatement, [
    site.name,
    site.slug,
    site.discovery,
    JSON.stringify(site.policies),
    JSON.stringify(site.standards),
  ]);
  return inserted.length > 0;
}

const insertCollectionsStatement: Statement = {
  name: 'insert-collections',
  text: `INSERT INTO collections (collection_id, slug, name, description, position)
    SELECT collection_id, slug, name, description, position
    FROM json_populate_recordset(NULL::collections, $1)`,
};

/** Writes collections. */
export async function insertCollections(
  executor: Executor,
  collections: CollectionRecord[],
): Promise<void> {
  const rows = collections.map(({ collectionId, ...rest }) => ({
    collection_id: collectionId,
    ...rest,
  }));
  await executor.query(insertCollectionsStatement, [JSON.stringify(rows)]);
}

const insertListingsStatement: Statement = {
  name: 'insert-listings',
  text: `INSERT INTO listings SELECT * FROM json_populate_recordset(NULL::listings, $1)`,
};

/** Writes listings, in their order. */
export async function insertListings(executor: Executor, listings: Listing[]): Promise<void> {
  const rows = listings.map((listing, position) => ({
    listing_id: listing.listingId,
    slug: listing.slug,
    position,
    collection_id: listing.collectionId,
    name: listing.name,
    description: listing.description,
    blurb: listing.blurb,
    time_zone: listing.timeZone,
    destination: listing.destination,
    sleeps: listing.sleeps,
    bedrooms: listing.bedrooms,
    bathrooms: listing.bathrooms,
    pictures: listing.pictures,
    amenities: listing.amenities,
    policies: listing.policies,
    spaces: listing.spaces,
    latitude: listing.geo?.latitude ?? null,
    longitude: listing.geo?.longitude ?? null,
    indexable: listing.indexable,
    rates: listing.rates,
    party_rules: listing.partyRules,
    stay_rules: listing.stayRules,
    cancellation: listing.cancellation,
  }));
  await executor.query(insertListingsStatement, [JSON.stringify(rows)]);
}
