import { OperatorRefusal, noSuch } from '../access/index.ts';
import type { Executor } from '../platform/postgres/database.ts';
import { readCatalogs, type CatalogRecord } from './store/catalogs.ts';

const importFirst = 'There is no catalog yet. Import one first: latchkey catalog import FILE.';

/** Finds the catalog with this slug, or without a slug the only catalog. Throws `OperatorRefusal`. */
export async function catalogFor(executor: Executor, slug?: string): Promise<CatalogRecord> {
  const catalogs = await readCatalogs(executor);
  const [first, ...others] = catalogs;
  if (!first) throw new OperatorRefusal(importFirst);
  const found = slug === undefined ? first : catalogs.find((one) => one.slug === slug);
  const slugs = catalogs.map((one) => one.slug).join(', ');
  if (!found) throw noSuch(`There is no catalog "${slug}". There are: ${slugs}.`);
  if (slug === undefined && others.length > 0) {
    throw new OperatorRefusal(`There are ${catalogs.length} catalogs; choose one of: ${slugs}.`);
  }
  return found;
}
