import type { SigningKeys } from '../access/index.ts';
import type { Catalog } from '../catalog/index.ts';
import type { Availability } from '../inventory/index.ts';
import type { DatabaseClock } from '../platform/clock.ts';
import { type LoopParts, startLoop } from '../platform/loop.ts';
import type { LiveProcess } from '../platform/postgres/live-processes.ts';

/** What a process keeps in memory, and follows in the database. */
export interface Followed {
  log: LoopParts['log'];
  catalog: Catalog;
  availability: Availability;
  clock: DatabaseClock;
  keys: SigningKeys;
  processes: LiveProcess;
}

/** Follows what other processes change, and writes that this one is alive. */
export function startFollowing(followed: Followed): { stop(): Promise<unknown> } {
  const { log, catalog, availability, clock, keys, processes } = followed;
  const loops = [
    startLoop({ name: 'beat', everyMs: 2_000, log, work: processes.beat }),
    startLoop({
      name: 'follow the catalog',
      everyMs: 1_000,
      log,
      work: () => catalog.follow(),
    }),
    startLoop({
      name: 'follow the taken nights',
      everyMs: 250,
      log,
      work: () => availability.follow(),
    }),
    startLoop({ name: 'adjust the clock', everyMs: 10_000, log, work: () => clock.adjust() }),
    startLoop({
      name: 'follow the signing keys',
      everyMs: 30_000,
      log,
      work: () => keys.refresh(),
    }),
  ];
  return { stop: () => Promise.all(loops.map((loop) => loop.stop())) };
}
