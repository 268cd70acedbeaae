import type { Settlement } from '../../contract/wire.ts';
import type { EpochMs } from '../../contract/time.ts';
import { columnsOf } from '../../platform/postgres/columns.ts';
import type { Executor } from '../../platform/postgres/database.ts';
import { countRows, manyRows, noRows } from '../../platform/postgres/statement-functions.ts';
import type { ReservationRecord } from '../rules/record.ts';
import { openGuest, type BookingRow } from './booking-row.ts';

/** Marks one batch of reservations as materialized; these tables are the operator's only system. Returns how many. */
export const materializeReservations = countRows<[atMost: number]>({
  name: 'materialize-reservations',
  text: `UPDATE reservations SET materialized_at = coalesce(materialized_at, now()),
      records_due_at = NULL, records_problem = NULL
    WHERE reference = ANY (ARRAY(
      SELECT reference FROM reservations WHERE records_due_at IS NOT NULL
      ORDER BY records_due_at LIMIT $1 FOR UPDATE SKIP LOCKED)) RETURNING reference`,
});

/** A version of a reservation that this process sends to the records until the lease ends. */
export interface RecordClaim {
  reference: string;
  version: number;
  /** Attempts with this version, this one included. */
  attempts: number;
  now: EpochMs;
  /** Null: the guest cannot be decrypted. */
  record: ReservationRecord | null;
}

type RecordRow = Omit<ReservationRecord, 'listing' | 'guest' | 'application' | 'booking'> &
  Pick<BookingRow, 'application_id' | 'booking_id' | 'kind' | 'guest_sealed'> & {
    attempts: number;
    now: EpochMs;
    listingId: string;
    slug: string | null;
    name: string | null;
    timeZone: string | null;
    applicationName: string;
    settlement: Settlement;
  };

const recordOf = (executor: Executor, row: RecordRow): ReservationRecord => ({
  reference: row.reference,
  version: row.version,
  state: row.state,
  listing: {
    listingId: row.listingId,
    slug: row.slug,
    name: row.name,
    timeZone: row.timeZone,
  },
  checkIn: row.checkIn,
  checkOut: row.checkOut,
  party: row.party,
  charges: row.charges,
  refundAmount: row.refundAmount,
  guest: openGuest(executor, row),
  application: {
    applicationId: row.application_id,
    name: row.applicationName,
    settlement: row.settlement,
  },
  payer: row.payer,
  booking: { kind: row.kind, bookingId: row.booking_id },
  partnerReference: row.partnerReference,
  promotionCode: row.promotionCode,
  confirmedAt: row.confirmedAt,
  cancelledAt: row.cancelledAt,
  updatedAt: row.updatedAt,
});

function readableRecord(executor: Executor, row: RecordRow): ReservationRecord | null {
  try {
    return recordOf(executor, row);
  } catch {
    return null;
  }
}

/** Claims due reservations, longest due first; no other process gets them until the lease ends. */
export const claimRecords = manyRows<
  [atMost: number, leaseSeconds: number],
  RecordRow,
  RecordClaim
>({
  name: 'claim-records',
  text: `WITH due AS (
      SELECT reference FROM reservations
      WHERE records_due_at <= now() ORDER BY records_due_at LIMIT $1 FOR UPDATE SKIP LOCKED
    ), r AS (
      UPDATE reservations r SET records_due_at = now() + make_interval(secs => $2),
        records_attempts = r.records_attempts + 1
      FROM due WHERE r.reference = due.reference
      RETURNING r.*
    )
    SELECT r.reference, r.version, r.state, r.check_in AS "checkIn", r.check_out AS "checkOut",
      r.party, r.charges, r.refund_minor AS "refundAmount", r.confirmed_at AS "confirmedAt",
      r.cancelled_at AS "cancelledAt", r.updated_at AS "updatedAt", r.records_attempts AS attempts,
      r.application_id, r.kind, r.booking_id, r.listing_id AS "listingId", l.slug, l.name,
      l.time_zone AS "timeZone", a.name AS "applicationName", b.settlement, b.payer, b.guest_sealed,
      b.partner_reference AS "partnerReference", b.promotion_code AS "promotionCode", now() AS now
    FROM r
    JOIN bookings b ON b.application_id = r.application_id AND b.kind = r.kind
      AND b.booking_id = r.booking_id
    JOIN applications a ON a.application_id = r.application_id
    LEFT JOIN listings l ON l.listing_id = r.listing_id`,
  result: (row, executor) => ({
    reference: row.reference,
    version: row.version,
    attempts: row.attempts,
    now: row.now,
    record: readableRecord(executor, row),
  }),
});

/** The result of an attempt. */
export interface RecordResult extends Pick<RecordClaim, 'reference' | 'version' | 'attempts'> {
  /** Why the records did not accept it; null: they did. */
  problem: string | null;
  /** The delay until the next attempt; null: none is needed. */
  retryInSeconds: number | null;
}

/** Writes the results of attempts in one statement. */
export const writeRecordResults = noRows<[results: readonly RecordResult[]]>({
  name: 'write-record-results',
  // With any accepted version, the reservation has reached the records. What is due changes only if nothing has
  // happened since the claim: no newer version, no later attempt, no success, no erasure of the guest.
  text: `UPDATE reservations r SET
      materialized_at = CASE WHEN a.problem IS NULL THEN coalesce(r.materialized_at, now())
        ELSE r.materialized_at END,
      records_due_at = CASE WHEN r.version = a.version AND r.records_attempts = a.attempts
        THEN now() + make_interval(secs => a.retry_in_seconds) ELSE r.records_due_at END,
      records_problem = CASE WHEN r.version = a.version AND r.records_attempts = a.attempts
        THEN a.problem ELSE r.records_problem END
    FROM unnest($1::text[], $2::integer[], $3::integer[], $4::text[], $5::double precision[])
      AS a (reference, version, attempts, problem, retry_in_seconds)
    WHERE r.reference = ANY ($1::text[]) AND r.reference = a.reference
      AND (a.problem IS NULL OR (r.version = a.version AND r.records_attempts = a.attempts
        AND r.records_due_at IS NOT NULL))`,
  values: (results) =>
    columnsOf(results, 'reference', 'version', 'attempts', 'problem', 'retryInSeconds'),
});
