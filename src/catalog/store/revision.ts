import type { EpochMs } from '../../contract/time.ts';
import type { Executor } from '../../platform/postgres/database.ts';
import { noRows, theRow, theValue } from '../../platform/postgres/statement-functions.ts';
import { reachedServer } from '../../platform/postgres/session.ts';
import { nilUuid } from '../../platform/uuid.ts';

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
export const raiseRevision = theValue<[], number>({
  name: 'raise-catalog-revision',
  text: `UPDATE catalog_revision SET revision = revision + 1,
      changed_at = greatest(changed_at, clock_timestamp()) RETURNING revision`,
});

interface ChangedSlice {
  catalogs: string[];
  /** The last home of the slice; null: there are no others. */
  last: string | null;
}

// By the changed homes, some in a slice: by their catalogs, it would read those of all.
const readCatalogsOfChanged = theRow<
  [revision: number, after: string, atMost: number],
  ChangedSlice
>({
  name: 'catalogs-of-changed-homes',
  text: `WITH changed AS MATERIALIZED (
      SELECT listing_id FROM listings WHERE revision = $1 AND listing_id > $2 ORDER BY listing_id LIMIT $3
    )
    SELECT ARRAY(SELECT DISTINCT cl.catalog_id FROM changed CROSS JOIN LATERAL (
        SELECT catalog_id FROM catalog_listings WHERE listing_id = changed.listing_id OFFSET 0) cl)::text[] AS catalogs,
      (SELECT listing_id FROM changed OFFSET $3 - 1) AS last`,
});

const changedAtOnce = 20_000;

/** The catalogs that have homes of this revision. */
async function catalogsOfChanged(
  executor: Executor,
  revision: number,
  atOnce: number,
): Promise<string[]> {
  const found = new Set<string>();
  let last: string | null = nilUuid;
  while (last !== null) {
    const slice: ChangedSlice = await readCatalogsOfChanged(executor, revision, last, atOnce);
    for (const catalogId of slice.catalogs) found.add(catalogId);
    last = slice.last;
  }
  return [...found];
}

const writeMarks = noRows<[revision: number, catalogIds: readonly string[]]>({
  name: 'mark-catalogs',
  text: `UPDATE catalogs c SET revision = r.revision, changed_at = r.changed_at
    FROM catalog_revision r WHERE r.revision = $1 AND c.catalog_id = ANY ($2)`,
});

/** Marks these catalogs, and those that sell a listing of this revision, as changed. */
export async function markCatalogs(
  executor: Executor,
  revision: number,
  catalogIds: readonly string[],
  atOnce = changedAtOnce,
): Promise<void> {
  const others = await catalogsOfChanged(executor, revision, atOnce);
  await writeMarks(executor, revision, [...catalogIds, ...others]);
}
