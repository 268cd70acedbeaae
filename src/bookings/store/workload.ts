import type { Executor, Statement } from '../../platform/postgres/database.ts';
import type { Booking } from '../rules/booking.ts';

/** The bookings of one state that wait for a worker. */
export interface WaitingBookings {
  state: Booking['state'];
  count: number;
  /** Since when the oldest of them has been submitted, in seconds; null: none of them is. */
  oldestSeconds: number | null;
}

/** No more than so many are counted. */
const countedAtMost = 10_000;

const waitingStatement: Statement = {
  name: 'count-waiting-bookings',
  text: `SELECT state, count(*) AS count,
      extract(epoch FROM now() - min(submitted_at))::float8 AS "oldestSeconds"
    FROM (
      SELECT state, submitted_at FROM bookings
      WHERE due_at IS NOT NULL ORDER BY due_at LIMIT ${countedAtMost}) waiting
    GROUP BY state`,
};

/** Counts the bookings that wait for a worker, by state, up to 10,000 in all. */
export const countWaitingBookings = (executor: Executor): Promise<WaitingBookings[]> =>
  executor.query<WaitingBookings>(waitingStatement);
