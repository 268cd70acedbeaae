/**
 * The daily limit of reservations of an application: how many of its bookings count for each day in UTC.
 *
 * The statement that submits a booking also counts it, and the statement that fails or cancels the booking
 * removes it from the count. A constraint refuses the statement that would exceed the limit. The row of a day is
 * locked after the booking and, if there are events, after the event counter. Bookings of applications
 * without a limit are not counted. Spec: QUOTA-6.
 */
import { refuse, type Refusal } from '../../contract/errors.ts';
import type { EpochMs } from '../../contract/time.ts';
import type { Executor, Statement } from '../../platform/postgres/database.ts';
import { rowOrNull } from '../../platform/postgres/statement-functions.ts';
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

/**
 * Returned by an update of the booking `b`: the day for which it no longer counts, or null. A booking keeps
 * its day: with a trigger on the table, PostgreSQL returns an `old` value that can be outdated.
 */
export const uncountedDay = `CASE WHEN b.state IN ('failed', 'expired') THEN b.counted_on END AS uncounted_day`;

/**
 * Parts of a statement: remove the bookings of `from`, which has `application_id` and `uncountedDay`, from the
 * counts of their days. The conflict also finds the row of a transaction that has just counted them, which the
 * statement does not see. For a day that was removed it inserts 0.
 */
export const uncounted = (from: string): string => `uncounted AS (
      SELECT application_id, uncounted_day AS day, count(*)::integer AS bookings FROM ${from}
      WHERE uncounted_day IS NOT NULL GROUP BY application_id, uncounted_day
    ), freed_days AS (
      INSERT INTO reservation_days AS d (application_id, day, reservations)
      SELECT application_id, day, 0 FROM uncounted ORDER BY application_id, day
      ON CONFLICT (day, application_id) DO UPDATE SET reservations = d.reservations - (
        SELECT bookings FROM uncounted u WHERE u.application_id = d.application_id AND u.day = d.day)
    )`;

/**
 * Parts of a statement: remove cancelled reservations from the counts of their days. `from` has `application_id`,
 * `kind` and `booking_id`. It also updates a booking that does not count, because another transaction may just be
 * counting it: then it waits, and removes it afterwards.
 */
export const cancelledUncounted = (from: string): string => `cancelled_bookings AS (
      UPDATE bookings b SET counted_on = b.counted_on FROM ${from} c
      WHERE b.booking_id = ANY (ARRAY(SELECT booking_id FROM ${from}))
        AND b.booking_id = c.booking_id AND b.application_id = c.application_id AND b.kind = c.kind
      RETURNING b.application_id, b.counted_on AS uncounted_day
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

/** Whether an application has reached its daily limit. Null: it can make one more reservation. */
export const dailyLimitRefusal = rowOrNull<
  [applicationId: string],
  { seconds: number },
  Refusal<'rate_limited'>
>({
  name: 'seconds-of-full-day',
  text: `SELECT ceil(extract(epoch FROM ${today} + 1 - ${utcNow}))::integer AS seconds
    FROM applications a
    LEFT JOIN reservation_days d ON d.day = ${today} AND d.application_id = a.application_id
    WHERE a.application_id = $1 AND coalesce(d.reservations, 0) >= a.reservations_per_day`,
  result: (full) => {
    const refusal = refuse('rate_limited', { reason: 'reservations_per_day' });
    return { ...refusal, retryAfterSeconds: Math.max(1, full.seconds) };
  },
});

const countOfDayStatement: Statement = {
  name: 'count-of-day',
  text: `SELECT reservations FROM reservation_days WHERE day = ${today} AND application_id = $1`,
};

/** Reads how many reservations of an application with a daily limit count for this day. */
export async function countReservationsOfToday(
  executor: Executor,
  applicationId: string,
): Promise<number> {
  const [row] = await executor.query<{ reservations: number }>(countOfDayStatement, [
    applicationId,
  ]);
  return row?.reservations ?? 0;
}

const dayBegan = `date_trunc('day', ${utcNow}) AT TIME ZONE 'UTC'`;

/** Bookings that may count for this day, and from where the next slice goes on; null: this is the last one. */
interface Candidates<Position> {
  ids: string[];
  next: Position | null;
}

// What is due, of all applications: the index has no application.
const dueStatement: Statement = {
  name: 'find-todays-due-bookings',
  text: `WITH due AS MATERIALIZED (
      SELECT booking_id, application_id, due_at FROM bookings WHERE due_at > $2
      ORDER BY due_at FETCH FIRST ($3) ROWS WITH TIES
    )
    SELECT ARRAY(SELECT booking_id FROM due WHERE application_id = $1)::text[] AS ids,
      (SELECT max(due_at)::text FROM due HAVING count(*) >= $3) AS next`,
};

interface ConfirmedPosition {
  at: string;
  sequence: number;
}

// An event is committed within the time of some statements after its instant.
const confirmedStatement: Statement = {
  name: 'find-todays-confirmed-bookings',
  text: `WITH looked AS MATERIALIZED (
      SELECT sequence, created_at, type, data FROM events
      WHERE application_id = $1 AND (created_at, sequence) > ($2::timestamptz, $3)
        AND created_at >= greatest(${dayBegan}, to_timestamp($5 / 1000.0) - interval '1 minute')
      ORDER BY created_at, sequence LIMIT $4
    )
    SELECT ARRAY(SELECT data->>'checkoutId' FROM looked WHERE type = 'reservation.confirmed') AS ids,
      (SELECT json_build_object('at', created_at, 'sequence', sequence) FROM looked OFFSET $4 - 1) AS next`,
};

/** The bookings that may count for this day, slice by slice: those that are due, then those whose event says so. */
async function* candidatesOf(
  executor: Executor,
  applicationId: string,
  since: EpochMs,
  atOnce: number,
): AsyncGenerator<string[]> {
  const readDue = async (after: string) => {
    const values = [applicationId, after, atOnce];
    return (await executor.query<Candidates<string>>(dueStatement, values))[0]!;
  };
  const readConfirmed = async ({ at, sequence }: ConfirmedPosition) => {
    const values = [applicationId, at, sequence, atOnce, since];
    return (await executor.query<Candidates<ConfirmedPosition>>(confirmedStatement, values))[0]!;
  };
  let due: Candidates<string> = { ids: [], next: '-infinity' };
  while (due.next !== null) {
    due = await readDue(due.next);
    yield due.ids;
  }
  let confirmed: Candidates<ConfirmedPosition> = {
    ids: [],
    next: { at: '-infinity', sequence: 0 },
  };
  while (confirmed.next !== null) {
    confirmed = await readConfirmed(confirmed.next);
    yield confirmed.ids;
  }
}

const uncountedToday = `SELECT b.booking_id, b.kind FROM bookings b
    WHERE b.booking_id = ANY ($2::uuid[])
      AND b.application_id = $1 AND b.submitted_at >= ${dayBegan} AND b.counted_on IS NULL
      AND b.state NOT IN ('failed', 'expired')`;

// Rows that another statement has locked are skipped, because that statement locks several rows in any order.
const lockTodayStatement: Statement = {
  name: 'lock-todays-bookings',
  text: `${uncountedToday} FOR NO KEY UPDATE OF b SKIP LOCKED`,
};

const skippedTodayStatement: Statement = {
  name: 'find-todays-skipped-bookings',
  text: `${uncountedToday} AND b.booking_id <> ALL ($3::uuid[]) LIMIT 1`,
};

// A statement of its own: it sees what was cancelled before the bookings were locked. A later cancellation
// waits for the lock.
const countTodayStatement: Statement = {
  name: 'count-todays-reservations',
  text: `WITH marked AS (
      UPDATE bookings b SET counted_on = ${today}
      FROM unnest($2::uuid[], $3::text[]) AS locked (booking_id, kind)
      WHERE b.booking_id = ANY ($2::uuid[]) AND b.application_id = $1
        AND b.booking_id = locked.booking_id AND b.kind = locked.kind AND (
        SELECT r.state FROM (
          SELECT state, application_id, kind FROM reservations WHERE booking_id = b.booking_id OFFSET 0) r
        WHERE r.application_id = b.application_id AND r.kind = b.kind) IS DISTINCT FROM 'cancelled'
      RETURNING b.application_id, b.counted_on
    )
    INSERT INTO reservation_days AS d (application_id, day, reservations)
    SELECT application_id, counted_on, count(*) FROM marked GROUP BY application_id, counted_on
    ON CONFLICT (day, application_id) DO UPDATE
      SET reservations = d.reservations + excluded.reservations, at_most = NULL`,
};

/** Counts those of these bookings that count for this day. Returns whether it has skipped some that another statement is just changing. */
async function countThese(
  executor: Executor,
  applicationId: string,
  ids: readonly string[],
): Promise<boolean> {
  if (ids.length === 0) return false;
  const locked = await executor.query<{ booking_id: string; kind: string }>(lockTodayStatement, [
    applicationId,
    ids,
  ]);
  const lockedIds = locked.map(({ booking_id: bookingId }) => bookingId);
  const skipped = await executor.query(skippedTodayStatement, [applicationId, ids, lockedIds]);
  if (locked.length > 0) {
    const kinds = locked.map(({ kind }) => kind);
    await executor.query(countTodayStatement, [applicationId, lockedIds, kinds]);
  }
  return skipped.length > 0;
}

const countedAtOnce = 1_000;

const timeStatement: Statement = { name: 'time-of-count', text: 'SELECT now() AS now' };

/** A pass over the reservations of this day. */
export interface CountedToday {
  /** When it began: what was confirmed a minute before is counted. */
  began: EpochMs;
  /** It has skipped bookings that another statement was just changing: another pass counts them. */
  hasSkipped: boolean;
}

/**
 * Counts the reservations that an application has made today without a limit. The count can exceed a limit that is set
 * afterwards. It changes `atOnce` of them in one piece of work.
 *
 * @param since only what was confirmed since the pass that began then; 0: everything of this day
 * @param within does a piece of work, in a transaction
 */
export async function countTodaysReservations(
  executor: Executor,
  applicationId: string,
  since: EpochMs,
  within: <T>(work: (executor: Executor) => Promise<T>) => Promise<T>,
  atOnce = countedAtOnce,
): Promise<CountedToday> {
  const [time] = await executor.query<{ now: EpochMs }>(timeStatement);
  let hasSkipped = false;
  for await (const ids of candidatesOf(executor, applicationId, since, atOnce)) {
    const skipped = await within((one) => countThese(one, applicationId, ids));
    hasSkipped ||= skipped;
  }
  return { began: time!.now, hasSkipped };
}
