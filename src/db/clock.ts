import type { EpochMs } from '../domain/booking.ts';
import type { Executor, Statement } from './database.ts';

/** Tells the time. Passed in wherever time matters. */
export type Clock = () => EpochMs;

const nowStatement: Statement = { name: 'now', text: 'SELECT clock_timestamp() AS present' };

/** The database's time, carried on between readings by a counter that no clock change touches. */
export interface DatabaseClock {
  now: Clock;
  /** Reads the database's time again. */
  adjust(): Promise<void>;
}

/** Reads the database's time once; call `adjust` now and then. */
export async function startDatabaseClock(executor: Executor): Promise<DatabaseClock> {
  let readAt = 0;
  let present = 0;
  const adjust = async (): Promise<void> => {
    const asked = performance.now();
    const [row] = await executor.query<{ present: EpochMs }>(nowStatement);
    const answered = performance.now();
    present = row!.present;
    readAt = (asked + answered) / 2;
  };
  await adjust();
  return { now: () => Math.floor(present + performance.now() - readAt), adjust };
}
