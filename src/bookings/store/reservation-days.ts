/**
 * The daily limit of reservations of an application: how many of its bookings count for each day in UTC.
 *
 * The statement that submits a booking also counts it, and the statement that fails or cancels the booking
 * takes it off again. A constraint refuses the statement that would exceed the limit. The row of a day is
 * locked after the booking and, if there are events, after the event counter. Bookings of applications
 * without a limit are not counted. Spec: decisions, The operator's own homes.
 */
import { refuse, type Refusal } from '../../contract/errors.ts';
import type { Executor, Statement } from '../../platform/postgres/database.ts';
import { breaksCheck } from '../../platform/postgres/database-errors.ts';

const utcNow = `(now() AT TIME ZONE 'UTC')`;

/** The day for which a booking counts that is submitted now. */
export const today = `${utcNow}::date`;

/** A part of a statement: counts the bookings of `from`, which has `application_id` and `counted_on`. */
export const counted = (from: string): string => `counted AS (
      INSERT INTO reservation_days AS d (application_id, day, reservations, at_most)
      SELECT m.application_id, m.counted_on, 1, a.reservations_per_day
      FROM ${from} m JOIN applications a ON a.application_id = m.application_id
      ON CONFLICT (day, application_id) DO UPDATE
        SET reservations = d.reservations + 1, at_most = excluded.at_most
    )`;

/** Assigned to `counted_on` of the booking `b` when it moves to this state. */
export const countedOnIn = (state: string): string =>
  `CASE WHEN ${state} NOT IN ('failed', 'expired') THEN b.counted_on END`;

/** Returned by an update of the booking `b`: the day for which it no longer counts, or null. */
export const uncountedDay =
  'CASE WHEN b.counted_on IS NULL THEN old.counted_on END AS uncounted_day';

// `ANY` makes the plan start with the keys (ADR 9).
const isDayOfUncounted = `d.day = ANY (ARRAY(SELECT day FROM uncounted))
        AND d.application_id = ANY (ARRAY(SELECT application_id FROM uncounted))
        AND d.day = u.day AND d.application_id = u.application_id`;

/** Parts of a statement: take the bookings of `from`, which has `application_id` and `uncountedDay`, off their days. */
export const uncounted = (from: string): string => `uncounted AS (
      SELECT application_id, uncounted_day AS day, count(*)::integer AS bookings FROM ${from}
      WHERE uncounted_day IS NOT NULL GROUP BY application_id, uncounted_day
    ), locked_days AS (
      SELECT d.day FROM uncounted u JOIN reservation_days d ON ${isDayOfUncounted}
      ORDER BY d.application_id, d.day FOR UPDATE OF d
    ), freed_days AS (
      UPDATE reservation_days d SET reservations = d.reservations - u.bookings
      FROM uncounted u, (SELECT count(*) FROM locked_days) waited
      WHERE ${isDayOfUncounted}
    )`;

/**
 * Parts of a statement: take cancelled reservations off their days. `from` has `application_id`, `kind` and
 * `booking_id`.
 */
export const cancelledUncounted = (from: string): string => `cancelled_bookings AS (
      UPDATE bookings b SET counted_on = NULL FROM ${from} c
      WHERE b.booking_id = ANY (ARRAY(SELECT booking_id FROM ${from}))
        AND b.booking_id = c.booking_id AND b.application_id = c.application_id
        AND b.kind = c.kind AND b.counted_on IS NOT NULL
      RETURNING b.application_id, ${uncountedDay}
    ), ${uncounted('cancelled_bookings')}`;

/** Runs a statement that counts a booking. Returns `ifFull`, with nothing written, if it exceeds the limit. */
export async function unlessDayIsFull<Done, Full>(
  writing: Promise<Done>,
  ifFull: Full,
): Promise<Done | Full> {
  try {
    return await writing;
  } catch (error) {
    if (breaksCheck(error, 'reservation_days_within_limit')) return ifFull;
    throw error;
  }
}

const secondsOfFullDayStatement: Statement = {
  name: 'seconds-of-full-day',
  text: `SELECT ceil(extract(epoch FROM ${today} + 1 - ${utcNow}))::integer AS seconds
    FROM applications a
    LEFT JOIN reservation_days d ON d.day = ${today} AND d.application_id = a.application_id
    WHERE a.application_id = $1 AND coalesce(d.reservations, 0) >= a.reservations_per_day`,
};

/** Whether an application has made all its reservations of this day. Null: it can make one more. */
export async function dailyLimitRefusal(
  executor: Executor,
  applicationId: string,
): Promise<Refusal<'rate_limited'> | null> {
  const [full] = await executor.query<{ seconds: number }>(secondsOfFullDayStatement, [
    applicationId,
  ]);
  if (!full) return null;
  const refusal = refuse('rate_limited', { reason: 'reservations_per_day' });
  return { ...refusal, retryAfterSeconds: Math.max(1, full.seconds) };
}

const dayBegan = `date_trunc('day', ${utcNow}) AT TIME ZONE 'UTC'`;

// The candidates come from small indexes: what is due, and the events of the day. Rows that another
// statement has locked are skipped, because that statement locks several rows in any order.
const countTodayStatement: Statement = {
  name: 'count-todays-reservations',
  text: `WITH due AS MATERIALIZED (
      SELECT booking_id, application_id FROM bookings WHERE due_at > '-infinity' ORDER BY due_at
    ), candidates AS (
      SELECT booking_id FROM due WHERE application_id = $1
      UNION
      SELECT (data->>'checkoutId')::uuid FROM events
      WHERE application_id = $1 AND created_at >= ${dayBegan} AND type = 'reservation.confirmed'
    ), chosen AS (
      SELECT b.booking_id, b.application_id, b.kind FROM bookings b
      WHERE b.booking_id = ANY (ARRAY(SELECT booking_id FROM candidates))
        AND b.application_id = $1 AND b.submitted_at >= ${dayBegan} AND b.counted_on IS NULL
        AND b.state NOT IN ('failed', 'expired') AND (
          SELECT r.state FROM reservations r WHERE r.booking_id = b.booking_id
            AND r.application_id = b.application_id AND r.kind = b.kind) IS DISTINCT FROM 'cancelled'
      FOR UPDATE OF b SKIP LOCKED
    ), marked AS (
      UPDATE bookings b SET counted_on = ${today} FROM chosen c
      WHERE b.booking_id = ANY (ARRAY(SELECT booking_id FROM chosen))
        AND b.booking_id = c.booking_id AND b.application_id = c.application_id AND b.kind = c.kind
      RETURNING b.application_id, b.counted_on
    )
    INSERT INTO reservation_days AS d (application_id, day, reservations)
    SELECT application_id, counted_on, count(*) FROM marked GROUP BY application_id, counted_on
    ON CONFLICT (day, application_id) DO UPDATE
      SET reservations = d.reservations + excluded.reservations, at_most = NULL`,
};

/**
 * Counts the reservations that an application has made today without a limit. The count can exceed a limit
 * that is set afterwards.
 */
export async function countTodaysReservations(
  executor: Executor,
  applicationId: string,
): Promise<void> {
  await executor.query(countTodayStatement, [applicationId]);
}
