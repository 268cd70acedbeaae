import type { EpochMs } from '../../contract/time.ts';
import type { Executor } from '../../platform/postgres/database.ts';
import { noRows, theRow } from '../../platform/postgres/statement-functions.ts';
import { reachedServer } from '../../platform/postgres/session.ts';

/** The revision of the catalogs; every change of a catalog or listing raises it. Spec: LISTING-6. */
export interface CatalogRevision {
  revision: number;
  /** When it was raised. */
  changedAt: string;
  /** Where it was read. */
  server: string;
  /** The database's time of the read. */
  now: EpochMs;
}

/** Reads the committed revision. */
export const readRevision = theRow<[], CatalogRevision>({
  name: 'catalog-revision',
  text: `SELECT revision, changed_at::text AS "changedAt", ${reachedServer} AS server, now() AS now
    FROM catalog_revision`,
});

/** Waits until nobody else changes a catalog, and keeps others waiting until the transaction ends. */
export const lockRevision = theRow<[], Pick<CatalogRevision, 'revision' | 'now'>>({
  name: 'lock-catalog',
  text: 'SELECT revision, now() AS now FROM catalog_revision FOR UPDATE',
});

/** As `lockRevision`. Returns the time of the database. */
export const lockCatalog = async (executor: Executor): Promise<EpochMs> =>
  (await lockRevision(executor)).now;

/**
 * Raises the revision for the changes of this transaction. The row stays locked until the transaction
 * ends, so a later revision is committed later.
 */
export const raiseRevision = theRow<[], { revision: number }, number>({
  name: 'raise-catalog-revision',
  text: `UPDATE catalog_revision SET revision = revision + 1,
      changed_at = greatest(changed_at, clock_timestamp()) RETURNING revision`,
  result: ({ revision }) => revision,
});

/** Marks these catalogs, and those that sell a listing of this revision, as changed. */
export const markCatalogs = noRows<[revision: number, catalogIds: readonly string[]]>({
  name: 'mark-catalogs',
  text: `UPDATE catalogs c SET revision = r.revision, changed_at = r.changed_at
    FROM catalog_revision r
    WHERE r.revision = $1 AND (c.catalog_id = ANY ($2) OR EXISTS (
      SELECT FROM catalog_listings cl JOIN listings l ON l.listing_id = cl.listing_id
      WHERE cl.catalog_id = c.catalog_id AND l.revision = $1))`,
});
