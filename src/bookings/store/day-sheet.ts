/** The stays of a day sheet: who arrives, leaves or stays on a day, each with its guest and the times of its home. */
import { limits } from '../../contract/limits.ts';
import type { Guest } from '../../contract/partner/schemas/checkout.ts';
import type { Executor } from '../../platform/postgres/database.ts';
import { manyRows, theValue } from '../../platform/postgres/statement-functions.ts';
import type { Party } from '../../pricing/index.ts';
import { type BookingRow, readableGuest, type SealedGuest } from './booking-row.ts';

/** A stay of a day sheet. */
export interface StayOfDay {
  reference: string;
  applicationId: string;
  bookingId: string;
  /** The slug of the home; null: it no longer exists. */
  listing: string | null;
  /** The name of the home. */
  name: string | null;
  /** `HH:MM` at the property. */
  checkInFrom: string | null;
  checkOutUntil: string | null;
  party: Party;
  checkIn: string;
  checkOut: string;
  currency: string;
  /** Decrypts the guest. Null: removed, or it cannot be decrypted. */
  guest: () => Guest | null;
}

type StayRow = Omit<StayOfDay, 'applicationId' | 'bookingId' | 'guest'> &
  SealedGuest &
  Pick<BookingRow, 'kind'>;

// A stay that has not ended before this day begins at most as many nights earlier as a stay can have. The latest
// arrivals first: of a day with too many stays, nearly all that is read is counted.
const staysOfDay = (columns: string): string => `SELECT ${columns} FROM reservations
      WHERE check_in >= $1::date - $3::integer AND check_in <= $1::date AND check_out >= $1::date
        AND state <> 'cancelled'
      ORDER BY check_in DESC, reference DESC LIMIT $2`;

function stayOf(executor: Executor, row: StayRow): StayOfDay {
  const { application_id, booking_id, guest_sealed: _, kind: _kind, ...stay } = row;
  const guest = () => readableGuest(executor, row);
  return { ...stay, applicationId: application_id, bookingId: booking_id, guest };
}

/** Counts the stays that touch a day, up to `atMost`. Cancelled ones are left out. */
export const countStaysOfDay = theValue<[date: string, atMost: number], number>({
  name: 'count-stays-of-day',
  text: `SELECT count(*)::integer AS count FROM (${staysOfDay('')}) found`,
  values: (date, atMost) => [date, atMost, limits.nightsPerStay.max],
});

/** Lists the stays that touch a day, by the name of the home, up to `atMost`. Cancelled ones are left out. */
export const listStaysOfDay = manyRows<[date: string, atMost: number], StayRow, StayOfDay>({
  name: 'list-stays-of-day',
  text: `SELECT r.reference, r.application_id, r.kind, r.booking_id, l.slug AS listing, l.name,
      l.check_in_from AS "checkInFrom", l.check_out_until AS "checkOutUntil", r.party,
      r.check_in AS "checkIn", r.check_out AS "checkOut", r.charges->>'currency' AS currency, b.guest_sealed
    FROM (${staysOfDay('*')}) r
    LEFT JOIN LATERAL (
      SELECT slug, name, check_in_from, check_out_until FROM listings
      WHERE listing_id = r.listing_id OFFSET 0) l ON true
    CROSS JOIN LATERAL (
      SELECT guest_sealed FROM bookings WHERE booking_id = r.booking_id
        AND application_id = r.application_id AND kind = r.kind OFFSET 0) b
    ORDER BY l.name, r.reference`,
  values: (date, atMost) => [date, atMost, limits.nightsPerStay.max],
  result: (row, executor) => stayOf(executor, row),
});

/** A stay that is one of the first of its list, and how many stays the list has. */
interface FirstStayOfDay {
  stay: StayOfDay;
  total: number;
}

/**
 * Lists the first `limit` stays of each list of a day sheet, by the name of the home. Of a day with more than `atMost`
 * stays, some are left out.
 */
// The lists are told apart by whether a stay begins or ends on the day. What only the first of each need is read after
// they are known.
export const listFirstStaysOfDay = manyRows<
  [date: string, atMost: number, limit: number],
  StayRow & { total: number },
  FirstStayOfDay
>({
  name: 'list-first-stays-of-day',
  text: `SELECT p.total, r.reference, r.application_id, r.kind, r.booking_id, p.slug AS listing, p.name,
      p.check_in_from AS "checkInFrom", p.check_out_until AS "checkOutUntil", r.party,
      r.check_in AS "checkIn", r.check_out AS "checkOut", r.charges->>'currency' AS currency, b.guest_sealed
    FROM (
      SELECT s.reference, l.*, count(*) OVER list::integer AS total,
        row_number() OVER (list ORDER BY l.name, s.reference) AS ordinal
      FROM (${staysOfDay('reference, listing_id, check_in, check_out')}) s
      LEFT JOIN LATERAL (
        SELECT slug, name, check_in_from, check_out_until FROM listings
        WHERE listing_id = s.listing_id OFFSET 0) l ON true
      WINDOW list AS (PARTITION BY s.check_in = $1::date, s.check_out = $1::date)
    ) p
    CROSS JOIN LATERAL (SELECT * FROM reservations WHERE reference = p.reference OFFSET 0) r
    CROSS JOIN LATERAL (
      SELECT guest_sealed FROM bookings WHERE booking_id = r.booking_id
        AND application_id = r.application_id AND kind = r.kind OFFSET 0) b
    WHERE p.ordinal <= $4
    ORDER BY p.name, r.reference`,
  values: (date, atMost, limit) => [date, atMost, limits.nightsPerStay.max, limit],
  result: ({ total, ...row }, executor) => ({ stay: stayOf(executor, row), total }),
});
