import type { Environment } from '../contract/wire.ts';
import { catalogRevision, readCatalog } from './store/catalog.ts';
import type { Executor } from '../platform/postgres/database.ts';
import { withoutDeadline } from '../platform/postgres/deadline.ts';
import { makeSnapshot, type CatalogSnapshot } from './snapshot.ts';

/** The catalog in memory, kept in step with the database. */
export interface Catalog {
  current(): CatalogSnapshot;
  /** Reads the catalog again if the database has a newer one; `revision`: a revision known to exist. */
  follow(revision?: number): Promise<CatalogSnapshot>;
}

/** Reads the catalog and builds its responses. Concurrent calls of `follow` share one read. */
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
    // After a restore or failover the database may be behind; an older snapshot never replaces a newer one.
    if (fresh.revision > snapshot.revision) snapshot = fresh;
  }

  function readOnce(): Promise<void> {
    // Several callers share this read, so it must not have the deadline of one of them.
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
      // A shared read may have started before this revision was committed.
      if (newest > snapshot.revision) await readOnce();
      return snapshot;
    },
  };
}
