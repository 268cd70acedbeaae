import type { Environment } from '../contract/wire.ts';
import { catalogRevision, readCatalog } from '../db/catalog.ts';
import type { Executor } from '../db/database.ts';
import { makeSnapshot, type CatalogSnapshot } from './snapshot.ts';

/** The catalog in memory, following the database. */
export interface Catalog {
  current(): CatalogSnapshot;
  /** Reads the catalog again if the database's is newer; `revision`: it is known to be this far. */
  follow(revision?: number): Promise<CatalogSnapshot>;
}

/** Reads the catalog and makes its bytes. */
export async function openCatalog(
  executor: Executor,
  environment: Environment,
  baseUrl: string,
): Promise<Catalog> {
  const read = async () => makeSnapshot(await readCatalog(executor), environment, baseUrl);
  let snapshot = await read();
  return {
    current: () => snapshot,
    async follow(revision) {
      const newest = revision ?? (await catalogRevision(executor));
      if (newest > snapshot.revision) {
        const fresh = await read();
        // A read that was overtaken by a later one does not undo it.
        if (fresh.revision > snapshot.revision) snapshot = fresh;
      }
      return snapshot;
    },
  };
}
