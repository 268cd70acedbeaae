import type { EpochMs } from '../../contract/time.ts';
import type { Listing, Policy } from '../../pricing/index.ts';
import { type Executor, type Statement } from '../../platform/postgres/database.ts';

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

/** A listing with its position; listings of the same position are sorted by ID. */
export interface PlacedListing {
  position: number;
  listing: Listing;
}

/** The whole catalog, from one read. */
export interface CatalogRecords {
  revision: number;
  /** When this revision was committed. */
  changedAt: EpochMs;
  site: SiteRecord | null;
  collections: CollectionRecord[];
  /** Sorted by position and ID. */
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
  check_in_from: string | null;
  check_out_until: string | null;
  images: Listing['images'];
  amenities: string[];
  policies: Policy[];
  spaces: Listing['spaces'];
  latitude: number | null;
  longitude: number | null;
  indexable: boolean;
  currency: string;
  rates: Listing['rates'];
  fees: Listing['fees'];
  taxes: Listing['taxes'];
  payment: Listing['payment'];
  stay_rules: Listing['stayRules'];
  party: Listing['party'];
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
  checkInFrom: row.check_in_from,
  checkOutUntil: row.check_out_until,
  images: row.images,
  amenities: row.amenities,
  policies: row.policies,
  spaces: row.spaces,
  geo:
    row.latitude === null || row.longitude === null
      ? null
      : { latitude: row.latitude, longitude: row.longitude },
  indexable: row.indexable,
  currency: row.currency,
  rates: row.rates,
  fees: row.fees,
  taxes: row.taxes,
  payment: row.payment,
  stayRules: row.stay_rules,
  party: row.party,
  cancellation: row.cancellation,
});

const revisionStatement: Statement = {
  name: 'catalog-revision',
  text: 'SELECT revision FROM catalog_revision',
};

/** Reads the revision; every change of the catalog increases it. */
export async function catalogRevision(executor: Executor): Promise<number> {
  const [row] = await executor.query<{ revision: number }>(revisionStatement);
  return row!.revision;
}

// One statement reads one database snapshot, so the content matches the revision.
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

/** Reads the whole catalog at one revision. */
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

/** The stored IDs by slug, and the promotions by code. */
export interface CatalogNames {
  /** The slug of the catalog; null: there is none yet. */
  slug: string | null;
  listings: ReadonlyMap<string, string>;
  collections: ReadonlyMap<string, string>;
  /** Uses counted so far. */
  promotions: ReadonlyMap<string, number>;
}

const nameStatements = {
  site: { name: 'catalog-site-name', text: 'SELECT slug FROM site' },
  listings: { name: 'catalog-listing-names', text: 'SELECT slug, listing_id AS id FROM listings' },
  collections: {
    name: 'catalog-collection-names',
    text: 'SELECT slug, collection_id AS id FROM collections',
  },
  // Locked, so that uses cannot grow past a new `maxUses` during the import.
  promotions: {
    name: 'catalog-promotion-names',
    text: 'SELECT code, uses FROM promotions ORDER BY code FOR UPDATE',
  },
} as const satisfies Record<string, Statement>;

const bySlug = (rows: { slug: string; id: string }[]): Map<string, string> =>
  new Map(rows.map(({ slug, id }) => [slug, id]));

/** Reads the slug of the catalog; null: there is none yet. */
export async function catalogSlug(executor: Executor): Promise<string | null> {
  const [site] = await executor.query<{ slug: string }>(nameStatements.site);
  return site?.slug ?? null;
}

const lockStatement: Statement = {
  name: 'lock-catalog',
  text: 'SELECT FROM catalog_revision FOR UPDATE',
};

/** Waits until nobody else imports, and keeps others waiting until the transaction ends. */
export async function lockCatalog(executor: Executor): Promise<void> {
  await executor.query(lockStatement);
}

/** Reads the names that an import needs. Use it in a transaction: it locks the promotions. */
export async function readCatalogNames(executor: Executor): Promise<CatalogNames> {
  const slug = await catalogSlug(executor);
  const listings = await executor.query<{ slug: string; id: string }>(nameStatements.listings);
  const collections = await executor.query<{ slug: string; id: string }>(
    nameStatements.collections,
  );
  const promotions = await executor.query<{ code: string; uses: number }>(
    nameStatements.promotions,
  );
  return {
    slug,
    listings: bySlug(listings),
    collections: bySlug(collections),
    promotions: new Map(promotions.map(({ code, uses }) => [code, uses])),
  };
}

const writeSiteStatement: Statement = {
  name: 'write-site',
  text: `INSERT INTO site (name, slug, discovery, policies, standards) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (only_row) DO UPDATE SET name = excluded.name, slug = excluded.slug,
      discovery = excluded.discovery, policies = excluded.policies, standards = excluded.standards
    WHERE site::text IS DISTINCT FROM excluded::text`,
};

/** Inserts or updates the site. */
export async function writeSite(executor: Executor, site: SiteRecord): Promise<void> {
  await executor.query(writeSiteStatement, [
    site.name,
    site.slug,
    site.discovery,
    JSON.stringify(site.policies),
    JSON.stringify(site.standards),
  ]);
}

/** A collection to write; without an ID it gets a new one. */
export type WrittenCollection = Omit<CollectionRecord, 'collectionId'> & {
  collectionId: string | null;
};

const writeCollectionsStatement: Statement = {
  name: 'write-collections',
  text: `INSERT INTO collections (collection_id, slug, name, description, position)
    SELECT coalesce(collection_id, uuidv7()), slug, name, description, position
    FROM json_populate_recordset(NULL::collections, $1)
    ON CONFLICT (slug) DO UPDATE SET name = excluded.name, description = excluded.description,
      position = excluded.position
    WHERE collections::text IS DISTINCT FROM excluded::text`,
};

/** Inserts collections, or updates those with the same slugs. */
export async function writeCollections(
  executor: Executor,
  collections: WrittenCollection[],
): Promise<void> {
  const rows = collections.map(({ collectionId, ...rest }) => ({
    collection_id: collectionId,
    ...rest,
  }));
  await executor.query(writeCollectionsStatement, [JSON.stringify(rows)]);
}

/** A listing to write; without an ID it gets a new one. */
export type WrittenListing = Omit<Listing, 'listingId'> & {
  listingId: string | null;
  position: number;
};

const listingRow = (listing: WrittenListing) => ({
  slug: listing.slug,
  position: listing.position,
  collection_id: listing.collectionId,
  name: listing.name,
  description: listing.description,
  blurb: listing.blurb,
  time_zone: listing.timeZone,
  destination: listing.destination,
  sleeps: listing.sleeps,
  bedrooms: listing.bedrooms,
  bathrooms: listing.bathrooms,
  check_in_from: listing.checkInFrom,
  check_out_until: listing.checkOutUntil,
  images: listing.images,
  amenities: listing.amenities,
  policies: listing.policies,
  spaces: listing.spaces,
  latitude: listing.geo?.latitude ?? null,
  longitude: listing.geo?.longitude ?? null,
  indexable: listing.indexable,
  currency: listing.currency,
  rates: listing.rates,
  fees: listing.fees,
  taxes: listing.taxes,
  payment: listing.payment,
  stay_rules: listing.stayRules,
  party: listing.party,
  cancellation: listing.cancellation,
});

const listingColumns: readonly (keyof ReturnType<typeof listingRow>)[] = [
  'slug',
  'position',
  'collection_id',
  'name',
  'description',
  'blurb',
  'time_zone',
  'destination',
  'sleeps',
  'bedrooms',
  'bathrooms',
  'check_in_from',
  'check_out_until',
  'images',
  'amenities',
  'policies',
  'spaces',
  'latitude',
  'longitude',
  'indexable',
  'currency',
  'rates',
  'fees',
  'taxes',
  'payment',
  'stay_rules',
  'party',
  'cancellation',
];

const writeListingsStatement: Statement = {
  name: 'write-listings',
  text: `INSERT INTO listings (listing_id, ${listingColumns.join(', ')})
    SELECT coalesce(listing_id, uuidv7()), ${listingColumns.join(', ')}
    FROM json_populate_recordset(NULL::listings, $1)
    ON CONFLICT (slug) DO UPDATE SET ${listingColumns.map((column) => `${column} = excluded.${column}`).join(', ')}
    WHERE listings::text IS DISTINCT FROM excluded::text`,
};

/** Inserts listings, or updates those with the same slugs. */
export async function writeListings(
  executor: Executor,
  listings: readonly WrittenListing[],
): Promise<void> {
  const rows = listings.map((listing) => ({
    listing_id: listing.listingId,
    ...listingRow(listing),
  }));
  await executor.query(writeListingsStatement, [JSON.stringify(rows)]);
}
