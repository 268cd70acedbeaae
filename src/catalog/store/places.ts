/** Which listings a catalog sells, and in which order. */
import type { EpochMs } from '../../contract/time.ts';
import { maxUuid } from '../../platform/uuid.ts';
import { manyRows, noRows, oneRow, theValue } from '../../platform/postgres/statement-functions.ts';

/** The place of a listing in a catalog that sells it. */
export interface PlaceInCatalog {
  catalogId: string;
  collectionId: string | null;
  position: number;
}

/** A listing's place in one catalog. */
export interface CatalogPlace {
  slug: string;
  listingId: string;
  collectionId: string | null;
  position: number;
  /** No longer sold by this catalog. */
  withdrawn: boolean;
}

/** Reads the places of all listings of a catalog, withdrawn ones included, in their order. */
export const readPlaces = manyRows<[catalogId: string], CatalogPlace>({
  name: 'read-catalog-places',
  text: `SELECT l.slug, cl.listing_id AS "listingId", cl.collection_id AS "collectionId", cl.position,
      cl.withdrawn_at IS NOT NULL AS withdrawn
    FROM catalog_listings cl JOIN listings l ON l.listing_id = cl.listing_id
    WHERE cl.catalog_id = $1 ORDER BY cl.position, cl.listing_id`,
});

type KnownPlace = Pick<PlaceInCatalog, 'position' | 'collectionId'>;

/** Finds the place that a listing has in a catalog, or had before it was withdrawn. */
export const findPlace = oneRow<[catalogId: string, listingId: string], KnownPlace>({
  name: 'find-catalog-place',
  text: `SELECT position, collection_id AS "collectionId" FROM catalog_listings
    WHERE listing_id = $1 AND catalog_id = $2`,
  values: (catalogId, listingId) => [listingId, catalogId],
});

/** A home that a catalog no longer sells. */
export interface WithdrawnListing {
  listingId: string;
  slug: string;
  name: string;
  destination: string | null;
  collectionId: string | null;
  withdrawnAt: EpochMs;
  /** `withdrawnAt` with all its digits. */
  exactlyAt: string;
}

/** Where the next page of withdrawn homes begins. */
export type WithdrawnPosition = Pick<WithdrawnListing, 'exactlyAt' | 'listingId'>;

/** Lists the homes that a catalog no longer sells, the latest first. */
export const listWithdrawn = manyRows<
  [catalogId: string, after: WithdrawnPosition | null, atMost: number],
  WithdrawnListing
>({
  name: 'list-withdrawn-listings',
  text: `SELECT l.listing_id AS "listingId", l.slug, l.name, l.destination,
      cl.collection_id AS "collectionId", cl.withdrawn_at AS "withdrawnAt", cl.withdrawn_at::text AS "exactlyAt"
    FROM catalog_listings cl
    JOIN listings l ON l.listing_id = cl.listing_id
    WHERE cl.catalog_id = $1 AND cl.withdrawn_at IS NOT NULL
      AND (cl.withdrawn_at, cl.listing_id) < (coalesce($2::timestamptz, 'infinity'), $3::uuid)
    ORDER BY cl.withdrawn_at DESC, cl.listing_id DESC LIMIT $4`,
  values: (catalogId, after, atMost) => [
    catalogId,
    after?.exactlyAt ?? null,
    after?.listingId ?? maxUuid,
    atMost,
  ],
});

/** The position after all listings of a catalog. */
export const nextPosition = theValue<[catalogId: string], number>({
  name: 'next-catalog-position',
  text: `SELECT coalesce(max(position) + 1, 0) AS position FROM catalog_listings
    WHERE catalog_id = $1`,
});

// Processes read these homes again, but only their places have changed.
const unchanged = `changed_revision = $3, changed_kinds = '{}', changed_nights = NULL`;

/** Sells listings in a catalog at these places. */
export const writePlaces = noRows<
  [
    catalogId: string,
    places: readonly Omit<PlaceInCatalog & { listingId: string }, 'catalogId'>[],
    revision: number,
  ]
>({
  name: 'write-catalog-places',
  text: `WITH written AS (
      INSERT INTO catalog_listings (catalog_id, listing_id, collection_id, position)
      SELECT $1, "listingId", "collectionId", position
      FROM json_to_recordset($2) AS p ("listingId" uuid, "collectionId" uuid, position integer)
      ON CONFLICT (listing_id, catalog_id) DO UPDATE SET collection_id = excluded.collection_id,
        position = excluded.position, withdrawn_at = NULL
      RETURNING listing_id
    )
    UPDATE listings SET revision = $3, ${unchanged}
    WHERE listing_id = ANY (ARRAY(SELECT listing_id FROM written)) AND revision <> $3`,
  values: (catalogId, places, revision) => [catalogId, JSON.stringify(places), revision],
});

/** Gives a new home the place in a catalog that it gets when it is offered. */
export const insertDraftPlace = noRows<[placeInCatalog: PlaceInCatalog & { listingId: string }]>({
  name: 'insert-draft-place',
  text: `INSERT INTO catalog_listings (catalog_id, listing_id, collection_id, position, withdrawn_at)
    VALUES ($1, $2, $3, $4, now())`,
  values: ({ catalogId, listingId, collectionId, position }) => [
    catalogId,
    listingId,
    collectionId,
    position,
  ],
});

/** Withdraws listings from sale in a catalog; they keep their places. */
export const withdrawListings = noRows<
  [catalogId: string, listingIds: readonly string[], revision: number]
>({
  name: 'withdraw-listings',
  text: `WITH withdrawn AS (
      UPDATE catalog_listings SET withdrawn_at = now()
      WHERE catalog_id = $1 AND listing_id = ANY ($2) AND withdrawn_at IS NULL
      RETURNING listing_id
    )
    UPDATE listings SET revision = $3, ${unchanged}
    WHERE listing_id = ANY (ARRAY(SELECT listing_id FROM withdrawn))`,
});
