import { LRUCache } from 'lru-cache';
import { limits } from '../contract/limits.ts';
import { findApplication, type Application } from './store/applications.ts';
import { DatabaseUnavailableError, type Executor } from '../platform/postgres/database.ts';

/** For how long what was read of an application is taken as true: whoever changes one waits this out. */
export const registryFreshMs = 500;

const mostKept = 10_000;
const servedStaleMs = limits.suspensionSeconds * 1000;

interface Entry {
  application: Application;
  readAt: number;
}

/** Knows applications; those in good standing at most half a second late. */
export interface ApplicationRegistry {
  /** Without asking; undefined: it has to be asked for. */
  known(applicationId: string): Application | undefined;
  find(applicationId: string): Promise<Application | undefined>;
  /** Whether it was there when it was last read, however long ago. Asks no database. */
  wasThere(applicationId: string): boolean;
}

/**
 * While the database is away, what was known is served on for as long as a suspension may take.
 *
 * @param elapsedMs a clock that nobody sets
 */
export function createApplicationRegistry(
  executor: Executor,
  elapsedMs: () => number = () => performance.now(),
): ApplicationRegistry {
  const known = new LRUCache<string, Entry>({ max: mostKept });
  const reading = new Map<string, Promise<Application | undefined>>();

  async function read(applicationId: string): Promise<Application | undefined> {
    const readAt = elapsedMs();
    const application = await findApplication(executor, applicationId);
    // Whoever is refused is read again each time: memory refuses nobody. Unknown IDs can be made up, too.
    if (application?.suspendedAt === null) known.set(applicationId, { application, readAt });
    else known.delete(applicationId);
    return application;
  }

  function readOnce(applicationId: string): Promise<Application | undefined> {
    const underWay = reading.get(applicationId);
    if (underWay) return underWay;
    const started = read(applicationId).finally(() => reading.delete(applicationId));
    reading.set(applicationId, started);
    return started;
  }

  const ageOf = (entry: Entry | undefined) => (entry ? elapsedMs() - entry.readAt : Infinity);

  function fresh(applicationId: string): Application | undefined {
    const entry = known.get(applicationId);
    const age = ageOf(entry);
    if (age >= registryFreshMs) return undefined;
    // Read again in good time, so that no call waits for it, and many that waited do not go on at once.
    if (age >= registryFreshMs / 2) readOnce(applicationId).catch(() => undefined);
    return entry?.application;
  }

  return {
    known: fresh,
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
