import type { EpochMs } from '../contract/time.ts';
import type { Database, Executor, Statement } from './postgres/database.ts';

/** Tells the time. Passed in wherever time matters. */
export type Clock = () => EpochMs;

const nowStatement: Statement = { name: 'now', text: 'SELECT clock_timestamp() AS now' };

/** The database's time, as this process knows it and as the database says it. */
export interface DatabaseClock {
  /**
   * The database's time without asking, carried on from a reading by a counter that no clock change
   * touches. Good enough for a success; a refusal and an expiry take `ask`.
   */
  now: Clock;
  /** Asks the database for its time. Throws `DatabaseUnavailableError`. */
  ask(): Promise<EpochMs>;
  /** Takes another reading for `now`. Throws `DatabaseUnavailableError`. */
  adjust(): Promise<void>;
}

/** How far the database's clock is ahead of this process's counter. All in milliseconds. */
export interface ClockReading {
  offset: number;
  /** The true offset is at most so far from it, at the time of the reading. */
  error: number;
  /** When it was taken, on the counter. */
  takenAt: number;
}

// PostgreSQL's time comes to us without its microseconds.
const resolutionMs = 1;
// NTP makes a clock run faster or slower by at most this: 500 parts in a million.
const driftPerMs = 0.0005;

/** The reading of a question that was sent and answered at these times on the counter. */
export const clockReading = (sentAt: number, answeredAt: number, now: EpochMs): ClockReading => ({
  offset: now - (sentAt + answeredAt) / 2,
  error: (answeredAt - sentAt) / 2 + resolutionMs,
  takenAt: answeredAt,
});

/**
 * The better of two readings: the later one, unless its round trip was so long that the earlier one is
 * still closer. Readings that cannot both be right mean that the database's clock was set: the later one.
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

/** On a connection that is held already: what waits in the connection queue is no part of the round trip. */
const takeReading = (database: Database): Promise<ClockReading> =>
  database.transaction(async (executor) => {
    const sentAt = performance.now();
    const now = await readTime(executor);
    return clockReading(sentAt, performance.now(), now);
  });

/** Reads the database's time once; call `adjust` now and then. */
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
