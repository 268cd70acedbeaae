import type { Charges } from '../../contract/partner/schemas/quote.ts';
import type { ReservationState } from '../../contract/states.ts';
import type { Announcement, Reservation } from '../rules/booking.ts';
import type { EpochMs } from '../../contract/time.ts';
import type { Party } from '../../pricing/index.ts';
import type { ReservationUpdate } from '../rules/reservation.ts';
import { quoteOfBooking } from './booking-row.ts';
import { cancelledUncounted } from './reservation-days.ts';
import {
  instant,
  instantOrNull,
  type Executor,
  type Statement,
} from '../../platform/postgres/database.ts';

interface ReservationRow {
  reference: string;
  application_id: string;
  kind: 'checkout' | 'request';
  booking_id: string;
  state: ReservationState;
  listing_id: string;
  check_in: string;
  check_out: string;
  party: Party;
  charges: Charges;
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

const columns = `reference, application_id, kind, booking_id, state, listing_id, check_in, check_out,
  party, charges, confirmed_at, cancelled_at, updated_at, materialized_at, announced_change,
  announced_for, now() AS now`;

function found(row: ReservationRow): FoundReservation {
  const { announced_change: change, announced_for: at } = row;
  return {
    reservation: {
      reference: row.reference,
      applicationId: row.application_id,
      kind: row.kind,
      bookingId: row.booking_id,
      state: row.state,
      listingId: row.listing_id,
      checkIn: row.check_in,
      checkOut: row.check_out,
      party: row.party,
      charges: row.charges,
      confirmedAt: row.confirmed_at,
      cancelledAt: row.cancelled_at,
      updatedAt: row.updated_at,
      materializedAt: row.materialized_at,
      announced: change !== null && at !== null ? { change, at } : null,
    },
    now: row.now,
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
  return row && found(row);
}

const confirmedStayStatement: Statement = {
  name: 'find-confirmed-stay',
  text: `SELECT q.listing_id AS "listingId", q.check_in AS "checkIn", q.check_out AS "checkOut", q.party,
      coalesce(b.charges, q.charges) AS charges
    FROM bookings b ${quoteOfBooking}
    WHERE b.application_id = $1 AND b.kind = $2 AND b.booking_id = $3`,
};

/** Reads the stay as its booking was confirmed. */
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

// Guarded by the announcement itself, so concurrent reads apply it once.
const updateStatement: Statement = {
  name: 'update-reservation',
  text: `WITH held AS (
      SELECT reference FROM reservations
      WHERE reference = $2 AND application_id = $1 AND announced_change IS NOT NULL
      FOR UPDATE
    ), moved AS (
      UPDATE reservations r SET state = $3, check_in = $4, check_out = $5, party = $6, charges = $7,
        cancelled_at = $8, updated_at = $9, announced_change = NULL, announced_for = NULL
      FROM held WHERE r.reference = held.reference
      RETURNING r.application_id, r.kind, r.booking_id, r.state
    ), cancelled AS (
      SELECT application_id, kind, booking_id FROM moved WHERE state = 'cancelled'
    ), ${cancelledUncounted('cancelled')}, counter AS (
      UPDATE event_counters c SET last_sequence = c.last_sequence + cardinality($10::text[])
      FROM moved WHERE c.application_id = moved.application_id
      RETURNING c.application_id, c.last_sequence
    ), emitted AS (
      INSERT INTO events (application_id, sequence, type, data, created_at)
      SELECT counter.application_id,
        counter.last_sequence - cardinality($10::text[]) + draft.place,
        draft.type, draft.data::json, clock_timestamp()
      FROM counter, unnest($10::text[], $11::text[]) WITH ORDINALITY AS draft (type, data, place)
    )
    SELECT application_id FROM moved`,
};

/** Applies an announced change with its events. False: it is already applied. */
export async function updateReservation(
  executor: Executor,
  { next, events }: ReservationUpdate,
): Promise<boolean> {
  const rows = await executor.query(updateStatement, [
    next.applicationId,
    next.reference,
    next.state,
    next.checkIn,
    next.checkOut,
    JSON.stringify(next.party),
    JSON.stringify(next.charges),
    instantOrNull(next.cancelledAt),
    instant(next.updatedAt),
    events.map(({ type }) => type),
    events.map(({ data }) => JSON.stringify(data)),
  ]);
  return rows.length === 1;
}
