import type { Trader } from '../../contract/catalog-file.ts';
import type { EpochMs } from '../../contract/time.ts';
import type { Policy } from '../../pricing/index.ts';
import {
  manyRows,
  noRows,
  theValue,
  valuesByKey,
} from '../../platform/postgres/statement-functions.ts';

/** What a catalog says of itself. */
export interface CatalogHead {
  slug: string;
  name: string;
  discovery: 'brand' | 'portfolio';
  policies: Policy[];
  standards: Policy[];
  /** Who sells the homes; null: not known. */
  trader: Trader | null;
  /** The cancellation policy of homes without a text of their own; null: it is made from their rules. */
  cancellationText: Policy | null;
}

export interface StoredCollection {
  collectionId: string;
  slug: string;
  name: string;
  description: string | null;
}

/** A catalog with its collections, in their order. */
export interface StoredCatalog extends CatalogHead {
  catalogId: string;
  /** The revision with which anything in it last changed, and when. */
  revision: number;
  changedAt: EpochMs;
  collections: StoredCollection[];
}

type CatalogRow = Omit<StoredCatalog, 'collections'> & {
  collections: (StoredCollection & { position: number })[];
};

/** Reads all catalogs, sorted by slug. */
export const readCatalogs = manyRows<[], CatalogRow, StoredCatalog>({
  name: 'read-catalogs',
  text: `SELECT catalog_id AS "catalogId", slug, name, discovery, policies, standards, revision,
      changed_at AS "changedAt", trader, cancellation_text AS "cancellationText",
      (SELECT coalesce(json_agg(c ORDER BY c.position, c."collectionId"), '[]') FROM (
        SELECT collection_id AS "collectionId", slug, name, description, position FROM collections
        WHERE catalog_id = catalogs.catalog_id AND withdrawn_at IS NULL) c) AS collections
    FROM catalogs ORDER BY slug`,
  result: ({ collections, ...catalog }) => ({
    ...catalog,
    collections: collections.map(({ position: _, ...collection }) => collection),
  }),
});

/** Reads the cancellation policies of the catalogs that have one, by ID. */
export const readCancellationTexts = valuesByKey<[], string, Policy>({
  name: 'read-cancellation-texts',
  text: `SELECT catalog_id AS "catalogId", cancellation_text AS "cancellationText" FROM catalogs
    WHERE cancellation_text IS NOT NULL`,
});

/** Inserts a catalog, or updates the one with its slug. Returns its ID. */
export const writeCatalog = theValue<[head: CatalogHead, revision: number], string>({
  name: 'write-catalog',
  text: `INSERT INTO catalogs (slug, name, discovery, policies, standards, revision, trader, cancellation_text)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
    ON CONFLICT (slug) DO UPDATE SET name = excluded.name, discovery = excluded.discovery,
      policies = excluded.policies, standards = excluded.standards,
      trader = excluded.trader, cancellation_text = excluded.cancellation_text
    RETURNING catalog_id`,
  values: (head, revision) => [
    head.slug,
    head.name,
    head.discovery,
    JSON.stringify(head.policies),
    JSON.stringify(head.standards),
    revision,
    head.trader && JSON.stringify(head.trader),
    head.cancellationText && JSON.stringify(head.cancellationText),
  ],
});

/** A collection to write; without an ID it gets a new one. */
export type WrittenCollection = Omit<StoredCollection, 'collectionId'> & {
  collectionId: string | null;
  position: number;
};

/** Inserts collections of a catalog, or updates those with the same slugs. Returns their IDs by slug. */
export const writeCollections = valuesByKey<
  [catalogId: string, collections: readonly WrittenCollection[]],
  string,
  string
>({
  name: 'write-collections',
  text: `INSERT INTO collections (collection_id, catalog_id, slug, name, description, position)
    SELECT coalesce("collectionId", uuidv7()), $1, slug, name, description, position
    FROM json_to_recordset($2) AS c ("collectionId" uuid, slug text, name text, description text,
      position integer)
    ON CONFLICT (catalog_id, slug) DO UPDATE SET name = excluded.name,
      description = excluded.description, position = excluded.position,
      withdrawn_at = NULL
    RETURNING slug, collection_id`,
  values: (catalogId, collections) => [catalogId, JSON.stringify(collections)],
});

/** A collection with its place in the order. A withdrawn one keeps its ID. */
export type PlacedCollection = StoredCollection & { position: number; withdrawn: boolean };

/** Reads the collections of a catalog in their order, withdrawn ones included. */
export const readCollections = manyRows<[catalogId: string], PlacedCollection>({
  name: 'read-collections',
  text: `SELECT collection_id AS "collectionId", slug, name, description, position,
      withdrawn_at IS NOT NULL AS withdrawn
    FROM collections WHERE catalog_id = $1 ORDER BY position, collection_id`,
});

/** Finds the collections with these IDs, in any catalog. */
export const findCollections = manyRows<
  [ids: readonly string[]],
  { collectionId: string; slug: string; catalogId: string }
>({
  name: 'find-collection-ids',
  text: `SELECT collection_id AS "collectionId", slug, catalog_id AS "catalogId" FROM collections
    WHERE collection_id = ANY ($1)`,
});

/** Withdraws collections; only withdrawn listings may be in them. */
export const withdrawCollections = noRows<[ids: readonly string[]]>({
  name: 'withdraw-collections',
  text: `UPDATE collections SET withdrawn_at = now() WHERE collection_id = ANY ($1)`,
});

/** A catalog as staff see it in a list. */
export interface ListedCatalog {
  slug: string;
  catalogId: string;
  name: string;
  discovery: 'brand' | 'portfolio';
  /** What it sells. */
  listings: number;
  collections: number;
  promotions: number;
  applications: number;
}

/** Lists all catalogs with counts of what they have, sorted by slug. */
export const listCatalogs = manyRows<[], ListedCatalog>({
  name: 'list-catalogs',
  text: `SELECT slug, catalog_id AS "catalogId", name, discovery,
      (SELECT count(*) FROM catalog_listings cl
        WHERE cl.catalog_id = c.catalog_id AND cl.withdrawn_at IS NULL) AS listings,
      (SELECT count(*) FROM collections o
        WHERE o.catalog_id = c.catalog_id AND o.withdrawn_at IS NULL) AS collections,
      (SELECT count(*) FROM promotions p
        WHERE p.catalog_id = c.catalog_id AND p.withdrawn_at IS NULL) AS promotions,
      (SELECT count(*) FROM applications a WHERE a.catalog_id = c.catalog_id) AS applications
    FROM catalogs c ORDER BY slug`,
});
