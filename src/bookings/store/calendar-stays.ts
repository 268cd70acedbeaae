/** What a calendar of many homes shows of reservations. */
import { guestNameOf, type SealedGuest } from './booking-row.ts';
import type { Executor } from '../../platform/postgres/database.ts';
import { manyRows } from '../../platform/postgres/statement-functions.ts';
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

const stayOf = (
  { application_id, booking_id, guest_sealed, ...stay }: Row,
  executor: Executor,
): CalendarStay => ({
  ...stay,
  guest: guestNameOf(executor, { application_id, booking_id, guest_sealed }),
});

/** Reads the reservations with these references. */
export const readCalendarStays = manyRows<[references: readonly string[]], Row, CalendarStay>({
  name: 'read-calendar-stays',
  text: `SELECT ${columns} FROM reservations r ${guestOfStay} WHERE r.reference = ANY ($1)`,
  result: stayOf,
});

/** Reads the reservations that have nights of these homes: for the simulation, which keeps no nights. */
export const readCalendarStaysOfHomes = manyRows<
  [listingIds: readonly string[], days: { from: string; to: string }],
  Row,
  CalendarStay
>({
  name: 'read-calendar-stays-of-homes',
  // No stay is longer than 90 nights.
  text: `SELECT ${columns} FROM unnest($1::uuid[]) AS asked (id) CROSS JOIN LATERAL (
      SELECT * FROM reservations WHERE listing_id = asked.id AND check_in < $3::date
        AND check_in > $2::date - 90 AND check_out > $2::date AND state <> 'cancelled' OFFSET 0) r
    ${guestOfStay}
    ORDER BY r.listing_id, r.check_in`,
  values: (listingIds, { from, to }) => [listingIds, from, to],
  result: stayOf,
});
