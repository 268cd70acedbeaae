import { LRUCache } from 'lru-cache';
import { limits } from '../contract/limits.ts';
import { findApplication, type Application } from './store/applications.ts';
import type { Executor } from '../platform/postgres/database.ts';
import { DatabaseUnavailableError } from '../platform/postgres/database-errors.ts';

/** How long a process uses a read application. A command that changes one waits for this time. */
export const registryFreshMs = 500;

const mostKept = 10_000;
const servedStaleMs = limits.suspensionSeconds * 1000;

interface Entry {
  application: Application;
  readAt: number;
}

/** Reads applications through a cache. Changes take effect within half a second. */
export interface ApplicationRegistry {
  /** Reads from memory only. Undefined: call `find`. */
  known(applicationId: string): Application | undefined;
  find(applicationId: string): Promise<Application | undefined>;
  /** Reads the application anew at its next use. */
  forget(applicationId: string): void;
  /** The application as it was read last, however long ago. Reads from memory only. */
  lastRead(applicationId: string): Application | undefined;
  /** Whether the application existed at its last read, however long ago. Reads from memory only. */
  wasThere(applicationId: string): boolean;
  /** Forgets all applications. */
  drop(): void;
}

/** The application as its own calls meet it: in the scenario that it runs, prices can be higher. */
const asMet = (application: Application): Application => ({
  ...application,
  adjustPercent: application.adjustPercent + (application.scenario?.effects.raisePercent ?? 0),
});

/**
 * Creates the cache. While the database is unavailable, a cached application is served for the maximum delay of
 * a suspension.
 *
 * @param elapsedMs a monotonic clock
 */
export function createApplicationRegistry(
  executor: Executor,
  elapsedMs: () => number = () => performance.now(),
): ApplicationRegistry {
  const known = new LRUCache<string, Entry>({ max: mostKept });
  const reading = new Map<string, Promise<Application | undefined>>();
  /** When a changed application was forgotten: an earlier read of it is not kept. */
  const forgottenAt = new LRUCache<string, number>({ max: mostKept });

  let generation = 0;

  async function read(applicationId: string): Promise<Application | undefined> {
    const readAt = elapsedMs();
    const begunIn = generation;
    const found = await findApplication(executor, applicationId);
    const application = found && asMet(found);
    if (begunIn !== generation) return application;
    if ((forgottenAt.get(applicationId) ?? -Infinity) >= readAt) return application;
    // Caches only applications that can be served: memory must not decide a refusal, and unknown IDs are unlimited.
    if (application?.suspendedAt === null) known.set(applicationId, { application, readAt });
    else known.delete(applicationId);
    return application;
  }

  function readOnce(applicationId: string): Promise<Application | undefined> {
    const underWay = reading.get(applicationId);
    if (underWay) return underWay;
    const started = read(applicationId).finally(() => {
      if (reading.get(applicationId) === started) reading.delete(applicationId);
    });
    reading.set(applicationId, started);
    return started;
  }

  const ageOf = (entry: Entry | undefined) => (entry ? elapsedMs() - entry.readAt : Infinity);

  function fresh(applicationId: string): Application | undefined {
    const entry = known.get(applicationId);
    const age = ageOf(entry);
    if (age >= registryFreshMs) return undefined;
    // Refreshes early, so that no call waits for it and waiting calls do not continue all at once.
    if (age >= registryFreshMs / 2) readOnce(applicationId).catch(() => undefined);
    return entry?.application;
  }

  return {
    known: fresh,
    forget(applicationId) {
      const entry = known.get(applicationId);
      if (entry) entry.readAt = -Infinity;
      forgottenAt.set(applicationId, elapsedMs());
      // A read that has begun may be from before the change.
      reading.delete(applicationId);
    },
    drop() {
      known.clear();
      // A read that has begun may be of the database before.
      reading.clear();
      generation += 1;
    },
    lastRead: (applicationId) => known.get(applicationId)?.application,
    wasThere: (applicationId) => known.has(applicationId),
    async find(applicationId) {
      const recent = fresh(applicationId);
      if (recent) return recent;
      const entry = known.get(applicationId);
      const age = ageOf(entry);
      try {
        return await readOnce(applicationId);
      } catch (error) {
        if (entry && age < servedStaleMs && error instanceof DatabaseUnavailableError) {
          return entry.application;
        }
        throw error;
      }
    },
  };
}
