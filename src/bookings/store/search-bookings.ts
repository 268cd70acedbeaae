/** The bookings that staff find by what a guest says on the phone. */
import { limits } from '../../contract/limits.ts';
import type { CheckoutState, RequestState, ReservationState } from '../../contract/states.ts';
import type { Executor, Statement } from '../../platform/postgres/database.ts';
import {
  type BookingRow,
  namesOf,
  quoteOfBooking,
  readableGuest,
  type SealedGuest,
} from './booking-row.ts';
import { identityDigests, wordDigest } from './guest-digests.ts';

/** By what a search finds bookings. */
type FoundBy = keyof typeof sources;

/** A booking that a search finds, with the stay as it is now. */
export interface FoundBooking {
  kind: BookingRow['kind'];
  bookingId: string;
  applicationId: string;
  application: string;
  /** Null: it did not become a reservation. */
  reference: string | null;
  state: ReservationState | CheckoutState | RequestState;
  /** Null: removed, or it cannot be decrypted. */
  guest: string | null;
  phone: string | null;
  listing: string | null;
  listingName: string | null;
  checkIn: string;
  checkOut: string;
}

type Row = Omit<FoundBooking, 'guest' | 'phone' | 'bookingId' | 'applicationId'> &
  SealedGuest & { listing_id: string };

// Without a day, the stays of a home are those from now on.
const daysAhead = 60;
const bookingKey = 'booking_id, application_id, kind';

/** Each goes by an index of its own. */
const sources = {
  reference: `SELECT ${bookingKey} FROM reservations WHERE reference = $1`,
  partnerReference: `SELECT ${bookingKey} FROM bookings WHERE partner_reference = $1`,
  id: `SELECT ${bookingKey} FROM bookings WHERE booking_id = $1::uuid`,
  email: `SELECT ${bookingKey} FROM guest_digests WHERE email = ANY ($1::bytea[])`,
  phone: `SELECT ${bookingKey} FROM guest_digests WHERE words @> $1::bytea[]`,
  guest: `SELECT ${bookingKey} FROM guest_digests WHERE words @> $1::bytea[]`,
  home: `SELECT of_home.* FROM unnest($1::uuid[]) home (id) CROSS JOIN LATERAL (
        SELECT ${bookingKey} FROM reservations WHERE listing_id = home.id
          AND check_in > coalesce($3::date, $2::date) - ${limits.nightsPerStay.max}
          AND check_in <= coalesce($3::date, $2::date + ${daysAhead})
          AND check_out >= coalesce($3::date, $2::date) OFFSET 0) of_home`,
} as const;

// Of bookings that nobody completed there can be many: they come last, and what is near to today comes first.
const statementOf = (by: FoundBy): Statement => ({
  name: 'search-bookings',
  variant: by,
  text: `SELECT page.*, l.slug AS listing, l.name AS "listingName", a.name AS application FROM (
      SELECT b.kind, b.booking_id, b.application_id, b.guest_sealed, r.reference, coalesce(r.state, b.state) AS state,
        coalesce(r.listing_id, q.listing_id) AS listing_id, coalesce(r.check_in, q.check_in) AS "checkIn",
        coalesce(r.check_out, q.check_out) AS "checkOut"
      FROM (${sources[by]} LIMIT $5) found
      CROSS JOIN LATERAL (
        SELECT * FROM bookings WHERE booking_id = found.booking_id AND application_id = found.application_id
          AND kind = found.kind OFFSET 0) b
      ${quoteOfBooking}
      LEFT JOIN LATERAL (
        SELECT reference, state, listing_id, check_in, check_out FROM reservations
        WHERE reference = b.reference OFFSET 0) r ON true
      WHERE $3::date IS NULL
        OR $3::date BETWEEN coalesce(r.check_in, q.check_in) AND coalesce(r.check_out, q.check_out)
      ORDER BY r.reference IS NULL, coalesce(r.state, b.state) NOT IN ('confirmed', 'pending', 'uncertain', 'unresolved'),
        abs(coalesce(r.check_in, q.check_in) - $2::date), b.booking_id
      LIMIT $4) page
    ${namesOf('page.application_id', 'page.listing_id')}
    ORDER BY page.reference IS NULL, page.state NOT IN ('confirmed', 'pending', 'uncertain', 'unresolved'),
      abs(page."checkIn" - $2::date), page.booking_id`,
});

/** What is looked for: one text, or words of which each must fit; of homes, one of their IDs. */
export interface BookingsWanted {
  by: FoundBy;
  values: readonly string[];
}

const only = (_: Executor, [value]: readonly string[]): unknown[] => [value];

/** The digests of all words, by each master key: nobody knows by which a guest was digested. */
const wordsByKey = ({ vault }: Executor, words: readonly string[]): unknown[] =>
  vault.keys.map((key) => words.map((word) => wordDigest(key, word)));

/** The values that the statement runs with, one after the other. */
const valuesOf = {
  reference: only,
  partnerReference: only,
  id: only,
  email: ({ vault }, [email = '']) => [identityDigests(vault, 'email', email)],
  phone: wordsByKey,
  guest: wordsByKey,
  home: (_, values) => [values],
} as const satisfies Record<FoundBy, (executor: Executor, values: readonly string[]) => unknown[]>;

const readAtMost = 1_000;

/** Finds bookings, those near to today first, up to `atMost`; with `night`, only those of that night. */
export async function searchBookings(
  executor: Executor,
  wanted: BookingsWanted,
  { today, night, atMost }: { today: string; night: string | null; atMost: number },
): Promise<FoundBooking[]> {
  const rows: Row[] = [];
  for (const sought of valuesOf[wanted.by](executor, wanted.values)) {
    const values = [sought, today, night, atMost, readAtMost];
    rows.push(...(await executor.query<Row>(statementOf(wanted.by), values)));
  }
  return rows.map((row) => {
    const guest = readableGuest(executor, row);
    const { application_id, booking_id, guest_sealed: _, listing_id: __, ...stay } = row;
    return {
      ...stay,
      bookingId: booking_id,
      applicationId: application_id,
      guest: guest && `${guest.firstName} ${guest.lastName}`.trim(),
      phone: guest && guest.phone,
    };
  });
}
