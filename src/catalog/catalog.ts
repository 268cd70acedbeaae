import type { Environment } from '../contract/wire.ts';
import { catalogRevision, readCatalog } from './store/catalog.ts';
import type { Executor } from '../platform/postgres/database.ts';
import { withoutDeadline } from '../platform/postgres/deadline.ts';
import { makeSnapshot, type CatalogSnapshot } from './snapshot.ts';

/** The catalog in memory, following the database. */
export interface Catalog {
  current(): CatalogSnapshot;
  /** Reads the catalog again if the database's is newer; `revision`: it is known to be this far. */
  follow(revision?: number): Promise<CatalogSnapshot>;
}

/** Reads the catalog and makes its bytes. Any number of callers that follow it share one read. */
export async function openCatalog(
  executor: Executor,
  environment: Environment,
  baseUrl: string,
): Promise<Catalog> {
  const read = async () => makeSnapshot(await readCatalog(executor), environment, baseUrl);
  let snapshot = await read();
  let reading: Promise<void> | null = null;

  async function replace(): Promise<void> {
    const fresh = await read();
    // A database that was restored or failed over may be behind: a snapshot is never undone.
    if (fresh.revision > snapshot.revision) snapshot = fresh;
  }

  function readOnce(): Promise<void> {
    // Several share it: no one's deadline is that of all.
    reading ??= withoutDeadline(replace).finally(() => {
      reading = null;
    });
    return reading;
  }

  return {
    current: () => snapshot,
    async follow(revision) {
      const newest = revision ?? (await catalogRevision(executor));
      if (newest > snapshot.revision) await readOnce();
      // The read that was under way may have begun before this revision was there.
      if (newest > snapshot.revision) await readOnce();
      return snapshot;
    },
  };
}
