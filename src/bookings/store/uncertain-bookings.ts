/** What staff read of bookings whose outcome is not known. */
import { nilUuid } from '../../platform/uuid.ts';
import { type EpochMs, instant } from '../../contract/time.ts';
import type { Guest } from '../../contract/partner/schemas/checkout.ts';
import type { Charges } from '../../contract/partner/schemas/quote.ts';
import { hasRow, manyRows } from '../../platform/postgres/statement-functions.ts';
import type { Booking, PortStep } from '../rules/booking.ts';
import {
  bookingColumns,
  bookingOf,
  namesOf,
  openGuest,
  quoteOfBooking,
  type BookingRow,
} from './booking-row.ts';

/** A checkout or request whose outcome is not known, in the list of staff. */
export interface UncertainBooking {
  bookingId: string;
  kind: Booking['kind'];
  state: Booking['state'];
  applicationId: string;
  application: string;
  listingId: string;
  /** Null: the home no longer exists. */
  listing: string | null;
  /** Its name. */
  listingName: string | null;
  checkIn: string;
  checkOut: string;
  /** Null: it was erased. */
  guest: Guest | null;
  /** What the stay costs. */
  total: number;
  currency: string;
  submittedAt: EpochMs;
  /** Since when the outcome is not known. */
  since: EpochMs;
  /** How often a worker has tried since then. */
  tries: number;
  /** The step whose outcome is not known; null: not recorded. */
  unknownStep: PortStep | null;
  /** When a worker looks it up again; null: never. */
  dueAt: EpochMs | null;
}

type ListRow = Omit<UncertainBooking, 'guest' | 'total' | 'currency'> &
  Pick<BookingRow, 'guest_sealed' | 'application_id' | 'booking_id'> & { charges: Charges };

/** The last booking of the page before. */
export interface UncertainPosition {
  submittedAt: EpochMs;
  bookingId: string;
}

/** Lists checkouts and requests whose outcome is not known, oldest first. */
export const listUncertainBookings = manyRows<
  [after: UncertainPosition | null, atMost: number],
  ListRow,
  UncertainBooking
>({
  name: 'list-uncertain-bookings',
  text: `SELECT b.booking_id AS "bookingId", b.kind, b.state, b.application_id AS "applicationId",
      a.name AS application, q.listing_id AS "listingId", l.slug AS listing, l.name AS "listingName", q.check_in AS "checkIn",
      q.check_out AS "checkOut", b.guest_sealed, b.application_id, b.booking_id,
      coalesce(b.charges, q.charges) AS charges, b.submitted_at AS "submittedAt", b.updated_at AS since, b.tries,
      b.unknown_step AS "unknownStep", b.due_at AS "dueAt"
    FROM bookings b
    ${quoteOfBooking}
    ${namesOf('b.application_id', 'q.listing_id')}
    WHERE b.state IN ('uncertain', 'unresolved') AND (b.submitted_at, b.booking_id) > ($1, $2::uuid)
    ORDER BY b.submitted_at, b.booking_id LIMIT $3`,
  values: (after, atMost) => [
    after ? instant(after.submittedAt) : '-infinity',
    after?.bookingId ?? nilUuid,
    atMost,
  ],
  result: ({ guest_sealed, application_id, booking_id, charges, ...listed }, executor) => ({
    ...listed,
    guest: openGuest(executor, { guest_sealed, application_id, booking_id }),
    total: charges.total,
    currency: charges.currency,
  }),
});

/** A checkout or request as staff see it. */
export interface BookingInFull {
  booking: Booking;
  application: { applicationId: string; name: string };
  home: { listingId: string; slug: string | null; name: string | null };
  fence: number;
  tries: number;
  unknownStep: PortStep | null;
  dueAt: EpochMs | null;
  now: EpochMs;
}

type FileRow = BookingRow & {
  fence: number;
  tries: number;
  unknown_step: PortStep | null;
  due_at: EpochMs | null;
  application: string;
  slug: string | null;
  home: string | null;
};

/** Reads the checkouts and requests with an ID: applications can choose the same one. */
export const findBookingsInFull = manyRows<[bookingId: string], FileRow, BookingInFull>({
  name: 'find-booking-for-staff',
  text: `SELECT ${bookingColumns}, b.fence, b.tries, b.unknown_step, b.due_at, a.name AS application,
      l.slug, l.name AS home
    FROM bookings b
    ${quoteOfBooking}
    ${namesOf('b.application_id', 'q.listing_id')}
    WHERE b.booking_id = $1 ORDER BY a.name, b.application_id, b.kind`,
  result: (row, executor) => ({
    booking: bookingOf(executor, row),
    application: { applicationId: row.application_id, name: row.application },
    home: { listingId: row.listing_id, slug: row.slug, name: row.home },
    fence: row.fence,
    tries: row.tries,
    unknownStep: row.unknown_step,
    dueAt: row.due_at,
    now: row.now,
  }),
});

/** Locks a booking until the transaction ends. False: it has changed since it was read. */
export const holdBooking = hasRow<[booking: Booking]>({
  name: 'hold-booking',
  text: `SELECT booking_id FROM bookings
    WHERE booking_id = $1 AND application_id = $2 AND kind = $3 AND version = $4
    FOR NO KEY UPDATE`,
  values: ({ bookingId, applicationId, kind, version }) => [
    bookingId,
    applicationId,
    kind,
    version,
  ],
});
