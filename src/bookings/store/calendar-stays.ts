/** What a calendar of many homes shows of reservations. */
import { guestNameOf, type SealedGuest } from './booking-row.ts';
import type { Executor, Statement } from '../../platform/postgres/database.ts';
import type { Party } from '../../pricing/index.ts';

/** A reservation, as a calendar of many homes shows it. */
export interface CalendarStay {
  reference: string;
  listingId: string;
  checkIn: string;
  checkOut: string;
  party: Party;
  applicationId: string;
  /** First and last name; null: removed, or it cannot be decrypted. */
  guest: string | null;
}

type Row = Omit<CalendarStay, 'guest'> & SealedGuest;

const columns = `r.reference, r.listing_id AS "listingId", r.check_in AS "checkIn", r.check_out AS "checkOut",
      r.party, r.application_id AS "applicationId", r.application_id, r.booking_id, b.guest_sealed`;

const guestOfStay = `CROSS JOIN LATERAL (
      SELECT guest_sealed FROM bookings WHERE booking_id = r.booking_id AND application_id = r.application_id
        AND kind = r.kind OFFSET 0) b`;

const staysOf = (executor: Executor, rows: readonly Row[]): CalendarStay[] =>
  rows.map(({ application_id, booking_id, guest_sealed, ...stay }) => ({
    ...stay,
    guest: guestNameOf(executor, { application_id, booking_id, guest_sealed }),
  }));

const namedStatement: Statement = {
  name: 'read-calendar-stays',
  text: `SELECT ${columns} FROM reservations r ${guestOfStay} WHERE r.reference = ANY ($1)`,
};

/** Reads the reservations with these references. */
export const readCalendarStays = async (
  executor: Executor,
  references: readonly string[],
): Promise<CalendarStay[]> =>
  staysOf(executor, await executor.query<Row>(namedStatement, [references]));

const ofHomesStatement: Statement = {
  name: 'read-calendar-stays-of-homes',
  // No stay is longer than 90 nights.
  text: `SELECT ${columns} FROM unnest($1::uuid[]) AS asked (id) CROSS JOIN LATERAL (
      SELECT * FROM reservations WHERE listing_id = asked.id AND check_in < $3::date
        AND check_in > $2::date - 90 AND check_out > $2::date AND state <> 'cancelled' OFFSET 0) r
    ${guestOfStay}
    ORDER BY r.listing_id, r.check_in`,
};

/** Reads the reservations that have nights of these homes: for the simulation, which keeps no nights. */
export const readCalendarStaysOfHomes = async (
  executor: Executor,
  listingIds: readonly string[],
  { from, to }: { from: string; to: string },
): Promise<CalendarStay[]> =>
  staysOf(executor, await executor.query<Row>(ofHomesStatement, [listingIds, from, to]));
