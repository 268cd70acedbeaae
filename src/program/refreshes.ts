import type { SigningKeys } from '../access/index.ts';
import type { FollowedCatalog } from '../catalog/index.ts';
import type { Availability, FeedReader } from '../inventory/index.ts';
import type { DatabaseClock } from '../platform/clock.ts';
import { type LoopTask, startLoop } from '../platform/loop.ts';
import type { Executor } from '../platform/postgres/database.ts';
import type { LiveProcess } from '../platform/postgres/live-processes.ts';
import { forgetRetiredKeys } from '../platform/postgres/master-keys.ts';

/** What a process keeps in memory, and follows in the database. */
export interface Followed {
  log: LoopTask['log'];
  database: Executor;
  catalog: FollowedCatalog;
  availability: Availability;
  changes: FeedReader;
  clock: DatabaseClock;
  keys: SigningKeys;
  processes: LiveProcess;
}

// The longest wait before a first run.
const firstWithinMs = 2_000;

/**
 * Follows what other processes change, and writes that this one is alive. Opening has just done the same, so each
 * task waits before its first run: otherwise all of them would open connections at the same time.
 */
export function startFollowing(followed: Followed): { stop(): Promise<unknown> } {
  const { database, catalog, availability, changes, clock, keys, processes } = followed;
  const every = (everyMs: number) => ({
    everyMs,
    afterMs: Math.min(everyMs, firstWithinMs),
    log: followed.log,
  });
  const loops = [
    startLoop({ name: 'beat', ...every(2_000), work: processes.beat }),
    startLoop({ name: 'follow the catalog', ...every(1_000), work: () => catalog.follow() }),
    startLoop({
      name: 'follow the taken nights',
      ...every(250),
      work: () => availability.follow(),
    }),
    changes.start(),
    startLoop({ name: 'adjust the clock', ...every(250), work: () => clock.adjust() }),
    startLoop({ name: 'follow the signing keys', ...every(2_000), work: () => keys.refresh() }),
    startLoop({
      name: 'follow the master keys',
      ...every(2_000),
      work: () => forgetRetiredKeys(database),
    }),
  ];
  return { stop: () => Promise.all(loops.map((loop) => loop.stop())) };
}
