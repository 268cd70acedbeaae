import type { Executor } from '../platform/postgres/database.ts';
import type { FollowedCatalog } from './catalog.ts';
import { readPublished } from './read-published.ts';
import type { Installation } from './view.ts';

const nothing = (): Promise<void> => Promise.resolve();

/** The catalog of a process without the role `api`: it has no homes in memory, and reads those that it needs. */
export const noCatalog = (executor: Executor, installation: Installation): FollowedCatalog => ({
  has: () => false,
  of() {
    throw new Error('This process serves no calls.');
  },
  views: () => [],
  listingAt: (_revision, ...ids) => readPublished(executor, installation, ...ids),
  drop: () => undefined,
  server: () => null,
  follow: nothing,
  followSoon: () => Promise.resolve(true),
  prepareWith: () => undefined,
  revision: () => Number.NaN,
  knownUntil: () => Number.POSITIVE_INFINITY,
});
