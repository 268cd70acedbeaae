import type { EpochMs } from '../contract/time.ts';
import type { Database, Executor, Statement } from './postgres/database.ts';

/** Returns the current time. Passed as a parameter wherever code depends on time. */
export type Clock = () => EpochMs;

const nowStatement: Statement = { name: 'now', text: 'SELECT clock_timestamp() AS now' };

/** The database's time, estimated by this process or read from the database. */
export interface DatabaseClock {
  /**
   * Estimates the database's time from the last reading and a monotonic counter, without a query.
   * Precise enough for a success. A refusal or an expiry must use `ask`.
   */
  now: Clock;
  /** Reads the time from the database. Throws `DatabaseUnavailableError`. */
  ask(): Promise<EpochMs>;
  /** Takes a new reading for `now`. Throws `DatabaseUnavailableError`. */
  adjust(): Promise<void>;
}

/** The offset of the database's clock from this process's counter. All values in milliseconds. */
export interface ClockReading {
  offset: number;
  /** The maximum error of the offset at the time of the reading. */
  error: number;
  /** The time of the reading, on the counter. */
  takenAt: number;
}

// The parsed time has no microseconds.
const resolutionMs = 1;
// NTP changes the speed of a clock by at most 500 parts per million.
const driftPerMs = 0.0005;

/** The reading of a query that was sent and answered at these times on the counter. */
export const clockReading = (sentAt: number, answeredAt: number, now: EpochMs): ClockReading => ({
  offset: now - (sentAt + answeredAt) / 2,
  error: (answeredAt - sentAt) / 2 + resolutionMs,
  takenAt: answeredAt,
});

/**
 * Returns the more precise of two readings. The later one is less precise if its round trip was long. Two
 * readings that contradict each other mean that the database's clock was set: returns the later one.
 */
export function betterReading(earlier: ClockReading, later: ClockReading): ClockReading {
  const error = earlier.error + (later.takenAt - earlier.takenAt) * driftPerMs;
  const wasSet = Math.abs(later.offset - earlier.offset) > error + later.error;
  return wasSet || later.error <= error ? later : earlier;
}

async function readTime(executor: Executor): Promise<EpochMs> {
  const [row] = await executor.query<{ now: EpochMs }>(nowStatement);
  return row!.now;
}

/** Uses a held connection, so that the wait in the connection queue does not count as round trip. */
const takeReading = (database: Database): Promise<ClockReading> =>
  database.transaction(async (executor) => {
    const sentAt = performance.now();
    const now = await readTime(executor);
    return clockReading(sentAt, performance.now(), now);
  });

/** Reads the database's time once. Call `adjust` periodically. */
export async function startDatabaseClock(database: Database): Promise<DatabaseClock> {
  let reading = await takeReading(database);
  return {
    now: () => Math.floor(reading.offset + performance.now()),
    ask: () => readTime(database),
    async adjust() {
      reading = betterReading(reading, await takeReading(database));
    },
  };
}
