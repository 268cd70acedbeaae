import { effectsOf } from '../../access/index.ts';
import type { Effects } from '../../contract/sandbox/effects.ts';
import type { Booking, PortStep } from '../rules/booking.ts';
import type { EpochMs } from '../../contract/time.ts';
import { bookingColumns, bookingOf, quoteOfBooking, type BookingRow } from './booking-row.ts';
import type { Executor, Statement } from '../../platform/postgres/database.ts';
import { countRows, hasRow, noRows, oneRow } from '../../platform/postgres/statement-functions.ts';

/** A booking that a worker has claimed, until its lease ends. */
export interface Claim {
  booking: Booking;
  fence: number;
  /** Claims since the state last changed, this one included. */
  tries: number;
  now: EpochMs;
  /** Whether the application is in good standing and holds the grant to book. */
  authorised: boolean;
  /** The catalog of the application. */
  catalogId: string;
  /** The application's channel adjustment of prices. */
  adjustPercent: number;
  /** What the application meets while a scenario runs. */
  effects: Effects;
  /** The committed revision of the catalogs. */
  catalogRevision: number;
  /** The step whose outcome is unknown; null: none, or an older version did not record it. */
  unknownStep: PortStep | null;
}

export type ClaimRow = BookingRow & {
  fence: number;
  tries: number;
  authorised: boolean;
  catalog_id: string;
  adjust_percent: number;
  effects: Effects | null;
  revision: number;
  unknown_step: PortStep | null;
};

/** The columns of a claim; `b` is the booking, `q` its quote, `a` its application. */
export const claimColumns = `${bookingColumns}, b.fence, b.tries, b.unknown_step,
  (a.suspended_at IS NULL AND 'checkout' = ANY (a.grants)) AS authorised,
  a.catalog_id, a.adjust_percent::float8 AS adjust_percent, ${effectsOf('a.application_id')} AS effects, (SELECT revision FROM catalog_revision) AS revision`;

const claimStatement: Statement = {
  name: 'claim-bookings',
  text: `WITH due AS (
      SELECT application_id, kind, booking_id FROM bookings
      WHERE due_at <= now() AND (settlement <> 'card' OR (SELECT may_move_money()))
      ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED
    ), b AS (
      UPDATE bookings b SET due_at = now() + make_interval(secs => $2), fence = b.fence + 1,
        tries = b.tries + 1
      FROM due WHERE b.application_id = due.application_id AND b.kind = due.kind
        AND b.booking_id = due.booking_id
      RETURNING b.*
    )
    SELECT ${claimColumns} FROM b
    JOIN quotes q ON q.application_id = b.application_id AND q.quote_id = b.quote_id
    JOIN applications a ON a.application_id = b.application_id`,
};

/** Builds the claim of a row and decrypts its sealed columns. */
export const claimOf = (executor: Executor, row: ClaimRow): Claim => ({
  booking: bookingOf(executor, row),
  fence: row.fence,
  tries: row.tries,
  now: row.now,
  authorised: row.authorised,
  catalogId: row.catalog_id,
  adjustPercent: row.adjust_percent + (row.effects?.raisePercent ?? 0),
  effects: row.effects ?? {},
  catalogRevision: row.revision,
  unknownStep: row.unknown_step,
});

/** A booking whose sealed columns cannot be decrypted; the other bookings of the batch are still processed. */
export interface UnreadableBooking {
  applicationId: string;
  kind: Booking['kind'];
  bookingId: string;
  error: unknown;
}

/** One batch of claimed bookings. */
export interface DueBookings {
  claims: Claim[];
  unreadable: UnreadableBooking[];
}

/** Claims due bookings, oldest first; no other worker gets them until the lease ends. Spec: RESOLUTION-5. */
export async function claimDueBookings(
  executor: Executor,
  atMost: number,
  leaseSeconds: number,
): Promise<DueBookings> {
  const rows = await executor.query<ClaimRow>(claimStatement, [atMost, leaseSeconds]);
  const due: DueBookings = { claims: [], unreadable: [] };
  for (const row of rows) {
    try {
      due.claims.push(claimOf(executor, row));
    } catch (error) {
      const { application_id: applicationId, kind, booking_id: bookingId } = row;
      due.unreadable.push({ applicationId, kind, bookingId, error });
    }
  }
  return due;
}

/** Reads a claimed booking again after it has changed. Undefined: the lease was lost. */
export const readClaimed = oneRow<[claim: Claim], ClaimRow, Claim>({
  name: 'read-claimed',
  text: `SELECT ${claimColumns} FROM bookings b
    ${quoteOfBooking}
    JOIN applications a ON a.application_id = b.application_id
    WHERE b.application_id = $1 AND b.kind = $2 AND b.booking_id = $3 AND b.fence = $4`,
  values: ({ booking, fence }) => [booking.applicationId, booking.kind, booking.bookingId, fence],
  result: (row, executor) => claimOf(executor, row),
});

/**
 * Gives back a claim without a change, due again after `seconds`; null: not due until the next change.
 * Records the step with an unknown outcome, if any. Does nothing if the booking has changed meanwhile.
 */
export const postponeBooking = noRows<
  [claim: Claim, seconds: number | null, unknownStep?: PortStep | undefined]
>({
  name: 'postpone-booking',
  text: `UPDATE bookings SET due_at = now() + make_interval(secs => $5),
      unknown_step = coalesce($6, unknown_step)
    WHERE application_id = $1 AND kind = $2 AND booking_id = $3 AND fence = $4 AND version = $7`,
  values: ({ booking, fence }, seconds, unknownStep) => [
    booking.applicationId,
    booking.kind,
    booking.bookingId,
    fence,
    seconds,
    unknownStep,
    booking.version,
  ],
});

/** Makes a checkout whose outcome is not known due now. False: it does not wait for an outcome. */
export const wakeUncertainCheckout = hasRow<[applicationId: string, checkoutId: string]>({
  name: 'wake-uncertain-checkout',
  // If a worker is processing it, the next worker takes over the claim and looks up the result.
  text: `UPDATE bookings SET due_at = now()
    WHERE booking_id = $2 AND application_id = $1 AND kind = 'checkout' AND state = 'uncertain'
      AND due_at > now()
    RETURNING booking_id`,
});

/** Makes card-paying checkouts due now that wait for an outcome, one batch. Returns how many. */
export const wakeUncertainCheckouts = countRows<[atMost: number]>({
  name: 'wake-uncertain-checkouts',
  // What is due within the lease of a claim may be in progress.
  text: `UPDATE bookings SET due_at = now()
    WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM bookings
      WHERE state = 'uncertain' AND settlement = 'card' AND due_at > now() + interval '15 seconds'
      ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED))
    RETURNING booking_id`,
});
