/** The bookings of one person, and how the person leaves them. */
import type { ReservationState } from '../../contract/states.ts';
import { columnsOf } from '../../platform/postgres/columns.ts';
import type { Executor, Statement } from '../../platform/postgres/database.ts';
import { theValue } from '../../platform/postgres/statement-functions.ts';
import { inSlices } from '../../platform/slices.ts';
import { nilUuid } from '../../platform/uuid.ts';
import { dateText, todayAt } from '../../pricing/index.ts';
import type { Booking } from '../rules/booking.ts';
import { isPerson, type Person } from '../rules/guest-identity.ts';
import {
  bookingColumns,
  type BookingRow,
  bookingOf,
  namesOf,
  quoteOfBooking,
} from './booking-row.ts';
import { findByDigests } from './digests-again.ts';
import { identities, type Identity, identityDigests } from './guest-digests.ts';

/** A booking of the person, with the stay as it is now. */
export interface GuestBooking {
  booking: Booking;
  /** Null: it did not become a reservation. */
  reservation: ReservationState | null;
  application: string;
  listingId: string;
  /** The home's slug; null: it no longer exists. */
  listing: string | null;
  checkIn: string;
  checkOut: string;
  /** Today at the property. */
  today: string;
}

type Row = BookingRow & {
  application_name: string;
  slug: string | null;
  time_zone: string | null;
  reservation: ReservationState | null;
  stay_listing: string;
  stay_check_in: string;
  stay_check_out: string;
};

/** How bookings are looked up: by a digest, or by the reference of the reservation. */
const sources = {
  email: 'guest_digests WHERE email = ANY ($1::bytea[])',
  phone: 'guest_digests WHERE phone = ANY ($1::bytea[])',
  name: '(SELECT * FROM guest_digests WHERE name = ANY ($1::bytea[]) UNION SELECT * FROM guest_digests WHERE last_name = ANY ($1::bytea[])) named',
  reference: 'reservations WHERE reference = $1',
} as const satisfies Record<Identity | 'reference', string>;

/** Bookings of what was found, with the stay as it is now. */
const bookingsOf = (
  found: string,
): string => `SELECT ${bookingColumns}, a.name AS application_name, l.slug, l.time_zone,
      r.state AS reservation, coalesce(r.listing_id, q.listing_id) AS stay_listing,
      coalesce(r.check_in, q.check_in) AS stay_check_in, coalesce(r.check_out, q.check_out) AS stay_check_out
    FROM (${found}) found
    CROSS JOIN LATERAL (
      SELECT * FROM bookings WHERE booking_id = found.booking_id AND application_id = found.application_id
        AND kind = found.kind OFFSET 0) b
    ${quoteOfBooking}
    LEFT JOIN LATERAL (
      SELECT state, listing_id, check_in, check_out FROM reservations WHERE reference = b.reference OFFSET 0) r ON true
    ${namesOf('b.application_id', 'coalesce(r.listing_id, q.listing_id)')}`;

const byArrival = 'ORDER BY stay_check_in, b.created_at, b.booking_id';

const findStatement = (source: keyof typeof sources): Statement => ({
  name: 'find-bookings-of-guest',
  variant: source,
  text: `${bookingsOf(`SELECT booking_id, application_id, kind FROM ${sources[source]} LIMIT $2`)}
    ${byArrival}`,
});

const guestBookingOf = (executor: Executor, row: Row): GuestBooking => ({
  booking: bookingOf(executor, row),
  reservation: row.reservation,
  application: row.application_name,
  listingId: row.stay_listing,
  listing: row.slug,
  checkIn: row.stay_check_in,
  checkOut: row.stay_check_out,
  today: dateText(todayAt(row.now, row.time_zone)),
});

/** The person that is looked for: by what names one, or by a booking. */
export interface GuestWanted extends Person {
  reference?: string | undefined;
}

/** The whole rows that one identity, or the reference, names: at most `atMost`. */
async function readNamed(
  executor: Executor,
  wanted: GuestWanted,
  atMost: number,
): Promise<GuestBooking[]> {
  const { reference } = wanted;
  const identity = identities.find((one) => wanted[one] !== undefined);
  if (reference === undefined && identity === undefined) return [];
  const [source, value] =
    reference === undefined
      ? ([identity!, identityDigests(executor.vault, identity!, wanted[identity!]!)] as const)
      : (['reference', reference] as const);
  const rows = await executor.query<Row>(findStatement(source), [value, atMost]);
  return rows.map((row) => guestBookingOf(executor, row));
}

/** Finds the bookings of a person that still have their guest, by arrival, up to `atMost`. */
export async function findGuestBookings(
  executor: Executor,
  wanted: GuestWanted,
  atMost: number,
): Promise<GuestBooking[]> {
  const found = await readNamed(executor, wanted, atMost);
  return found.filter(({ booking: { guest } }) => guest !== null && isPerson(guest, wanted));
}

const batchStatement: Statement = {
  name: 'find-batch-of-guest',
  text: `${bookingsOf(`SELECT booking_id, application_id, kind FROM guest_digests
      WHERE email = $1 AND (booking_id, application_id, kind) > ($2::uuid, $3::uuid, $4)
      ORDER BY booking_id, application_id, kind LIMIT $5`)}
    ORDER BY b.booking_id, b.application_id, b.kind`,
};

/** Reads the bookings of the guest with an email address that still have their guest, at most `atOnce` at a time. */
export async function* batchesOfGuest(
  executor: Executor,
  email: string,
  atOnce: number,
): AsyncGenerator<GuestBooking[]> {
  for (const digest of identityDigests(executor.vault, 'email', email)) {
    let after: BookingKey | undefined = {
      bookingId: nilUuid,
      applicationId: nilUuid,
      kind: 'checkout',
    };
    while (after) {
      const { bookingId, applicationId, kind }: BookingKey = after;
      const values = [digest, bookingId, applicationId, kind, atOnce];
      const rows: Row[] = await executor.query<Row>(batchStatement, values);
      const batch = rows.map((row) => guestBookingOf(executor, row));
      const ofGuest = batch.filter(({ booking: { guest } }) => guest && isPerson(guest, { email }));
      if (ofGuest.length > 0) yield ofGuest;
      after = rows.length === atOnce ? batch.at(-1)?.booking : undefined;
    }
  }
}

const erasedStatement: Statement = {
  name: 'find-bookings-of-erased',
  text: `${bookingsOf(`SELECT d.booking_id, d.application_id, d.kind, e.at
      FROM unnest($1::bytea[], $2::timestamptz[]) AS e (email, at) JOIN guest_digests d ON d.email = e.email
      UNION
      SELECT e.booking_id, e.application_id, e.kind, e.at
      FROM unnest($3::uuid[], $4::uuid[], $5::text[], $6::timestamptz[]) AS e (booking_id, application_id, kind, at)`)}
    WHERE b.created_at <= found.at
    ${byArrival}`,
};

/** An erasure that was carried out: of an email address, by its digest, or of one booking. */
export interface Erased {
  at: string;
  email: Buffer | null;
  booking: BookingKey | null;
}

/** Erasures of addresses as those of bookings, where more than one master key may have made the digests. */
async function byOtherKeys(executor: Executor, byEmail: readonly Erased[]): Promise<Erased[]> {
  if (executor.vault.keys.length === 1 || byEmail.length === 0) return [];
  const erasedAs = Map.groupBy(byEmail, ({ email }) => email!.toString('hex'));
  const found = await findByDigests(executor, new Set(erasedAs.keys()));
  return found.flatMap(({ booking, digest }) =>
    erasedAs.get(digest)!.map(({ at }) => ({ at, email: null, booking })),
  );
}

/** Finds the bookings that these erasures have erased, as far as they have a guest again. Later ones are not meant. */
export async function findErased(
  executor: Executor,
  erased: readonly Erased[],
): Promise<GuestBooking[]> {
  const byEmail = erased.filter(({ email }) => email !== null);
  const byBooking = [
    ...erased.filter(({ booking }) => booking !== null),
    ...(await byOtherKeys(executor, byEmail)),
  ];
  const byName = new Map<string, GuestBooking>();
  for await (const slice of inSlices([...byEmail, ...byBooking], erasuresAtOnce)) {
    for (const found of await findErasedSlice(executor, slice)) {
      const { kind, applicationId, bookingId, guest } = found.booking;
      if (guest !== null) byName.set(`${kind} ${applicationId} ${bookingId}`, found);
    }
  }
  return [...byName.values()];
}

// A file has all erasures of years.
const erasuresAtOnce = 200;

async function findErasedSlice(
  executor: Executor,
  erased: readonly Erased[],
): Promise<GuestBooking[]> {
  const byEmail = erased.filter(({ email }) => email !== null);
  const byBooking = erased.filter(({ booking }) => booking !== null);
  const rows = await executor.query<Row>(erasedStatement, [
    ...columnsOf(byEmail, 'email', 'at'),
    ...keysOf(byBooking.map(({ booking }) => booking!)),
    byBooking.map(({ at }) => at),
  ]);
  return rows.map((row) => guestBookingOf(executor, row));
}

type BookingKey = Pick<Booking, 'bookingId' | 'applicationId' | 'kind'>;

const keysOf = (bookings: readonly BookingKey[]) => [
  ...columnsOf(bookings, 'bookingId', 'applicationId', 'kind'),
];

// In one order, so that two erasures do not deadlock.
const lockStatement: Statement = {
  name: 'lock-bookings-of-guest',
  text: `SELECT b.version, b.booking_id AS "bookingId", b.application_id AS "applicationId", b.kind FROM bookings b
    WHERE (b.booking_id, b.application_id, b.kind) IN (SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[]))
    ORDER BY b.booking_id, b.application_id, b.kind FOR UPDATE`,
};

/** Locks bookings until the transaction ends. False: one has changed since it was read. */
export async function lockBookings(
  executor: Executor,
  bookings: readonly Booking[],
): Promise<boolean> {
  const locked = await executor.query<BookingKey & { version: number }>(
    lockStatement,
    keysOf(bookings),
  );
  const nameOf = ({ kind, applicationId, bookingId, version }: BookingKey & { version: number }) =>
    `${kind} ${applicationId} ${bookingId} ${version}`;
  const names = new Set(locked.map(nameOf));
  return bookings.every((booking) => names.has(nameOf(booking)));
}

const open = `b.kind = 'checkout' AND b.submitted_at IS NULL AND b.state IN ('needs_guest', 'needs_payment', 'ready')`;

/**
 * Removes the guest from bookings: the details, the digests of reservations, the notes of staff, what was written in requests for changes. The operator's records
 * get each reservation once more, without its guest. Returns the number of notes. Spec: GUEST-4.
 */
export const removeGuest = theValue<[bookings: readonly BookingKey[]], number>({
  name: 'remove-guest-of-bookings',
  // A checkout that was not submitted cannot go on without its guest. One that never became a reservation is still
  // removed as a whole when it is old: only then is it not marked.
  text: `WITH removed AS (
      UPDATE bookings b SET guest_sealed = NULL, payment_secret_sealed = NULL,
        guest_removed_at = CASE WHEN b.kind = 'request' OR b.reference IS NOT NULL THEN now() END,
        state = CASE WHEN ${open} THEN 'expired' ELSE b.state END,
        version = CASE WHEN ${open} THEN b.version + 1 ELSE b.version END,
        due_at = CASE WHEN ${open} THEN NULL ELSE b.due_at END,
        updated_at = CASE WHEN ${open} THEN date_trunc('milliseconds', now()) ELSE b.updated_at END
      WHERE (b.booking_id, b.application_id, b.kind) IN (SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[]))
      RETURNING b.reference
    ), undigested AS (
      UPDATE reservations r SET guest_email_digest = '', records_due_at = now(), records_problem = NULL,
        records_attempts = r.records_attempts + 1
      FROM removed WHERE r.reference = removed.reference
    ), asked AS (
      UPDATE change_requests c SET note_sealed = NULL, reason = NULL FROM removed WHERE c.reference = removed.reference
    ), notes AS (
      DELETE FROM reservation_notes n USING removed WHERE n.reference = removed.reference RETURNING 1
    )
    SELECT count(*)::integer AS notes FROM notes`,
  values: (bookings) => keysOf(bookings),
});
