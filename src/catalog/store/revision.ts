import type { EpochMs } from '../../contract/time.ts';
import type { Executor, Statement } from '../../platform/postgres/database.ts';
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

const readStatement: Statement = {
  name: 'catalog-revision',
  text: `SELECT revision, changed_at::text AS "changedAt", ${reachedServer} AS server, now() AS now
    FROM catalog_revision`,
};

/** Reads the committed revision. */
export async function readRevision(executor: Executor): Promise<CatalogRevision> {
  const [row] = await executor.query<CatalogRevision>(readStatement);
  return row!;
}

const lockStatement: Statement = {
  name: 'lock-catalog',
  text: 'SELECT revision, now() AS now FROM catalog_revision FOR UPDATE',
};

/** Waits until nobody else changes a catalog, and keeps others waiting until the transaction ends. */
export async function lockRevision(
  executor: Executor,
): Promise<Pick<CatalogRevision, 'revision' | 'now'>> {
  const [row] = await executor.query<{ revision: number; now: EpochMs }>(lockStatement);
  return row!;
}

/** As `lockRevision`. Returns the time of the database. */
export const lockCatalog = async (executor: Executor): Promise<EpochMs> =>
  (await lockRevision(executor)).now;

const raiseStatement: Statement = {
  name: 'raise-catalog-revision',
  text: `UPDATE catalog_revision SET revision = revision + 1,
      changed_at = greatest(changed_at, clock_timestamp()) RETURNING revision`,
};

/**
 * Raises the revision for the changes of this transaction. The row stays locked until the transaction
 * ends, so a later revision is committed later.
 */
export async function raiseRevision(executor: Executor): Promise<number> {
  const [row] = await executor.query<{ revision: number }>(raiseStatement);
  return row!.revision;
}

const markStatement: Statement = {
  name: 'mark-catalogs',
  text: `UPDATE catalogs c SET revision = r.revision, changed_at = r.changed_at
    FROM catalog_revision r
    WHERE r.revision = $1 AND (c.catalog_id = ANY ($2) OR EXISTS (
      SELECT FROM catalog_listings cl JOIN listings l ON l.listing_id = cl.listing_id
      WHERE cl.catalog_id = c.catalog_id AND l.revision = $1))`,
};

/** Marks these catalogs, and those that sell a listing of this revision, as changed. */
export async function markCatalogs(
  executor: Executor,
  revision: number,
  catalogIds: readonly string[],
): Promise<void> {
  await executor.query(markStatement, [revision, catalogIds]);
}
