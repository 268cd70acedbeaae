import type { Refusal } from '../contract/errors.ts';
import { refuseConflict, refuseStaff } from '../contract/operator/errors.ts';
import type { Executor } from '../platform/postgres/database.ts';
import { readCatalogs, type StoredCatalog } from './store/catalogs.ts';

const importFirst = 'There is no catalog yet. Import one first: latchkey catalog import FILE.';

/** Finds the catalog with this slug, or without a slug the only catalog. */
export async function catalogFor(
  executor: Executor,
  slug?: string,
): Promise<StoredCatalog | Refusal<'not_found' | 'conflict'>> {
  const catalogs = await readCatalogs(executor);
  const [first, ...others] = catalogs;
  if (!first) return refuseConflict(importFirst);
  const found = slug === undefined ? first : catalogs.find((one) => one.slug === slug);
  const slugs = catalogs.map((one) => one.slug).join(', ');
  if (!found) {
    return refuseStaff('not_found', `There is no catalog "${slug}". There are: ${slugs}.`);
  }
  if (slug === undefined && others.length > 0) {
    return refuseConflict(`There are ${catalogs.length} catalogs; choose one of: ${slugs}.`);
  }
  return found;
}
