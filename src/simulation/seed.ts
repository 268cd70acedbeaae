import { readFile } from 'node:fs/promises';
import { catalogSlug, importCatalog } from '../catalog/index.ts';
import type { Database } from '../platform/postgres/database.ts';

const homesFile = new URL('./homes.json', import.meta.url);

/** Imports the listings of the simulation if the database has no catalog yet. */
export async function seedSimulation(database: Database): Promise<void> {
  if ((await catalogSlug(database)) !== null) return;
  const result = await importCatalog(database, JSON.parse(await readFile(homesFile, 'utf8')));
  if ('problems' in result) {
    throw new Error(`the homes of the simulation: ${JSON.stringify(result.problems)}`);
  }
}
