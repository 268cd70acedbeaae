import type { Charges, Terms } from '../../contract/partner/schemas/quote.ts';
import type { ReservationState } from '../../contract/states.ts';
import type { Announcement, Reservation } from '../rules/booking.ts';
import { type EpochMs, instant } from '../../contract/time.ts';
import type { Party } from '../../pricing/index.ts';
import type { ReservationUpdate } from '../rules/reservation.ts';
import { quoteOfBooking } from './booking-row.ts';
import { cancelledUncounted } from './reservation-days.ts';
import type { Executor, Statement } from '../../platform/postgres/database.ts';

/** A row of `reservations`. */
export interface ReservationRow {
  reference: string;
  version: number;
  application_id: string;
  kind: 'checkout' | 'request';
  booking_id: string;
  state: ReservationState;
  listing_id: string;
  check_in: string;
  check_out: string;
  party: Party;
  charges: Charges;
  cancellation: Terms['cancellation'] | null;
  refund_minor: number | null;
  confirmed_at: EpochMs;
  cancelled_at: EpochMs | null;
  updated_at: EpochMs;
  materialized_at: EpochMs | null;
  announced_change: Announcement['change'] | null;
  announced_for: EpochMs | null;
  now: EpochMs;
}

/** A reservation, with the database's time of the read. */
export interface FoundReservation {
  reservation: Reservation;
  now: EpochMs;
}

const columns = `reference, version, application_id, kind, booking_id, state, listing_id, check_in,
  check_out, party, charges, cancellation, refund_minor, confirmed_at, cancelled_at, updated_at,
  materialized_at, announced_change, announced_for, now() AS now`;

/** Builds the reservation of a row. */
export function reservationOf(row: Omit<ReservationRow, 'now'>): Reservation {
  const { announced_change: change, announced_for: at } = row;
  return {
    reference: row.reference,
    version: row.version,
    applicationId: row.application_id,
    kind: row.kind,
    bookingId: row.booking_id,
    state: row.state,
    listingId: row.listing_id,
    checkIn: row.check_in,
    checkOut: row.check_out,
    party: row.party,
    charges: row.charges,
    cancellation: row.cancellation,
    refundMinor: row.refund_minor,
    confirmedAt: row.confirmed_at,
    cancelledAt: row.cancelled_at,
    updatedAt: row.updated_at,
    materializedAt: row.materialized_at,
    announced: change !== null && at !== null ? { change, at } : null,
  };
}

const findStatement: Statement = {
  name: 'find-reservation',
  text: `SELECT ${columns} FROM reservations WHERE reference = $2 AND application_id = $1`,
};

/** Reads a reservation of the application. */
export async function findReservation(
  executor: Executor,
  applicationId: string,
  reference: string,
): Promise<FoundReservation | undefined> {
  const [row] = await executor.query<ReservationRow>(findStatement, [applicationId, reference]);
  return row && { reservation: reservationOf(row), now: row.now };
}

const confirmedStayStatement: Statement = {
  name: 'find-confirmed-stay',
  text: `SELECT q.listing_id AS "listingId", q.check_in AS "checkIn", q.check_out AS "checkOut", q.party,
      coalesce(b.charges, q.charges) AS charges
    FROM bookings b ${quoteOfBooking}
    WHERE b.application_id = $1 AND b.kind = $2 AND b.booking_id = $3`,
};

/** Reads the stay as it was when its booking was confirmed. */
export async function findConfirmedStay(
  executor: Executor,
  { applicationId, kind, bookingId }: Reservation,
): Promise<Pick<Reservation, 'listingId' | 'checkIn' | 'checkOut' | 'party' | 'charges'>> {
  const values = [applicationId, kind, bookingId];
  const [row] = await executor.query<Awaited<ReturnType<typeof findConfirmedStay>>>(
    confirmedStayStatement,
    values,
  );
  if (!row) throw new Error('the booking of a reservation is never deleted');
  return row;
}

const holdStatement: Statement = {
  name: 'hold-reservation',
  text: 'SELECT reference FROM reservations WHERE reference = $1 AND version = $2 FOR NO KEY UPDATE',
};

/** Locks a reservation until the transaction ends. False: it has changed since it was read. */
export async function holdReservation(
  executor: Executor,
  { reference, version }: Pick<Reservation, 'reference' | 'version'>,
): Promise<boolean> {
  return (await executor.query(holdStatement, [reference, version])).length === 1;
}

// Guarded by the version: staff and an announced change cannot overwrite each other.
const updateStatement: Statement = {
  name: 'update-reservation',
  text: `WITH moved AS (
      UPDATE reservations SET version = version + 1, state = $4, listing_id = $5, check_in = $6,
        check_out = $7, party = $8, charges = $9, cancellation = $10, refund_minor = $11,
        cancelled_at = $12, updated_at = $13, announced_change = $14, announced_for = $15
      WHERE reference = $2 AND application_id = $1 AND version = $3
      RETURNING application_id, kind, booking_id, state
    ), cancelled AS (
      SELECT application_id, kind, booking_id FROM moved WHERE state = 'cancelled'
    ), ${cancelledUncounted('cancelled')}, counter AS (
      UPDATE event_counters c SET last_sequence = c.last_sequence + cardinality($16::text[])
      FROM moved WHERE c.application_id = moved.application_id
      RETURNING c.application_id, c.last_sequence
    ), emitted AS (
      INSERT INTO events (application_id, sequence, type, data, created_at)
      SELECT counter.application_id,
        counter.last_sequence - cardinality($16::text[]) + draft.place,
        draft.type, draft.data::json, clock_timestamp()
      FROM counter, unnest($16::text[], $17::text[]) WITH ORDINALITY AS draft (type, data, place)
    )
    SELECT application_id FROM moved`,
};

const jsonOrNull = (value: unknown): string | null =>
  value === null ? null : JSON.stringify(value);

/** Writes a change of a reservation with its events. False: it has changed since it was read. */
export async function updateReservation(
  executor: Executor,
  { next, events }: ReservationUpdate,
): Promise<boolean> {
  const rows = await executor.query(updateStatement, [
    next.applicationId,
    next.reference,
    next.version - 1,
    next.state,
    next.listingId,
    next.checkIn,
    next.checkOut,
    JSON.stringify(next.party),
    JSON.stringify(next.charges),
    jsonOrNull(next.cancellation),
    next.refundMinor,
    instant(next.cancelledAt),
    instant(next.updatedAt),
    next.announced?.change ?? null,
    instant(next.announced?.at ?? null),
    events.map(({ type }) => type),
    events.map(({ data }) => JSON.stringify(data)),
  ]);
  return rows.length === 1;
}
