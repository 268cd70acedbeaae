import { insertCollections, insertListings, insertSite, readCatalog } from '../../db/catalog.ts';
import type { Database } from '../../db/database.ts';
import { insertPromotion } from '../../db/promotions.ts';
import { simulatedCatalog } from './catalog/index.ts';

/** Fills an empty database with the simulated catalog; one that has a site is left as it is. */
export async function seedSimulation(database: Database): Promise<void> {
  const { site } = await readCatalog(database);
  if (site) return;
  const catalog = simulatedCatalog();
  await database.transaction(async (executor) => {
    // Whoever has the site seeds the rest of it; whoever starts beside waits here for its commit.
    if (!(await insertSite(executor, { ...catalog.site, discovery: 'brand' }))) return;
    await insertCollections(executor, catalog.collections);
    await insertListings(executor, catalog.listings);
    for (const promotion of catalog.promotions) await insertPromotion(executor, promotion);
  });
}
