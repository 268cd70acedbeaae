import { manyRows, theRow } from '../../platform/postgres/statement-functions.ts';
import type { Booking } from '../rules/booking.ts';

/** The bookings of one state that wait for a worker. */
export interface WaitingBookings {
  state: Booking['state'];
  count: number;
  /** Seconds since the oldest submission; null: none of them is submitted. */
  oldestSeconds: number | null;
}

/** The maximum number of bookings that are counted, or read to find waiting ones. */
export const countedAtMost = 10_000;

/** The work that no worker has begun in time. 0 seconds: nothing is overdue. */
export interface OverdueWork {
  /** How long the most overdue booking has waited for a worker. */
  bookingsSeconds: number;
  /** How long the most overdue record has waited for a worker. */
  recordsSeconds: number;
  /** Reservations that have not reached the records, up to 10,000. */
  recordsWaiting: number;
  /** How many of them had a failed latest attempt. */
  recordsFailing: number;
}

/** Counts the bookings that wait for a worker, by state, up to 10,000 in all. */
export const countWaitingBookings = manyRows<[], WaitingBookings>({
  name: 'count-waiting-bookings',
  text: `SELECT state, count(*) AS count,
      extract(epoch FROM now() - min(submitted_at))::float8 AS "oldestSeconds"
    FROM (
      SELECT state, submitted_at FROM bookings
      WHERE due_at IS NOT NULL ORDER BY due_at LIMIT ${countedAtMost}) waiting
    GROUP BY state`,
});

/** Reads how far workers are behind, from the indexes of due rows. */
export const readOverdueWork = theRow<[], OverdueWork>({
  name: 'overdue-work',
  text: `SELECT
      greatest(0, coalesce(extract(epoch FROM now() -
        (SELECT min(due_at) FROM bookings WHERE due_at IS NOT NULL)), 0))::float8 AS "bookingsSeconds",
      greatest(0, coalesce(extract(epoch FROM now() - min(records_due_at)), 0))::float8
        AS "recordsSeconds",
      count(*) AS "recordsWaiting", count(records_problem) AS "recordsFailing"
    FROM (
      SELECT records_due_at, records_problem FROM reservations
      WHERE records_due_at IS NOT NULL ORDER BY records_due_at LIMIT ${countedAtMost}) waiting`,
});
