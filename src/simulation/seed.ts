import { fileSource, importCatalog, readCatalogs } from '../catalog/index.ts';
import type { Database } from '../platform/postgres/database.ts';

const homesFile = new URL('./homes.json', import.meta.url);

/**
 * Imports the homes of the simulation if the database has none, or only those of an older version.
 * Spec: SIMULATION-3.
 */
export async function seedSimulation(database: Database): Promise<void> {
  const catalogs = await readCatalogs(database);
  if (catalogs.some(({ revision }) => revision > 0)) return;
  const options = { mode: 'merge', dryRun: false, actor: null, blocks: null } as const;
  const result = await importCatalog(database, fileSource(homesFile), options);
  if ('problems' in result) {
    throw new Error(`the homes of the simulation: ${JSON.stringify(result.problems)}`);
  }
}
