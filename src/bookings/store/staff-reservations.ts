/** Queries of reservations for staff: one reservation with its details, and pages of the list. */
import { limits } from '../../contract/limits.ts';
import type { ReservationState } from '../../contract/states.ts';
import type { Settlement } from '../../contract/wire.ts';
import type { EpochMs } from '../../contract/time.ts';
import type { Executor, Statement } from '../../platform/postgres/database.ts';
import { oneRow, theValue } from '../../platform/postgres/statement-functions.ts';
import { mapInSlices } from '../../platform/slices.ts';
import type { Party } from '../../pricing/index.ts';
import type { Booking, Reservation } from '../rules/booking.ts';
import {
  bookingColumns,
  bookingOf,
  guestNameOf,
  namesOf,
  quoteOfBooking,
  type BookingRow,
  type SealedGuest,
} from './booking-row.ts';
import { identityDigests } from './guest-digests.ts';
import { prefixedColumns, type PrefixedReservation, reservationIn } from './reservations.ts';
import { countedAtMost } from './workload.ts';

/** The application of a reservation. */
export interface ReservingApplication {
  applicationId: string;
  name: string;
  settlement: Settlement;
  catalogId: string;
  adjustPercent: number;
}

/** A home as lists name it; without slug and name if it no longer exists. */
export interface NamedHome {
  listingId: string;
  slug: string | null;
  name: string | null;
  timeZone: string | null;
}

/** The state of the transfer of a reservation's latest version to the operator's records. */
export interface RecordsState {
  /** When it is sent next; null: the records have it. */
  dueAt: EpochMs | null;
  /** Attempts so far. */
  attempts: number;
  /** Why the last attempt failed; null: it did not. */
  problem: string | null;
}

/** A reservation with everything behind it, from one read. */
export interface ReservationInFull {
  reservation: Reservation;
  booking: Booking;
  application: ReservingApplication;
  /** The partner's company at submit, if it pays; null: the guest's card. */
  payer: string | null;
  home: NamedHome;
  records: RecordsState;
  now: EpochMs;
}

type FileRow = BookingRow & {
  name: string;
  catalog_id: string;
  adjust_percent: number;
  slug: string | null;
  home_name: string | null;
  records_due_at: EpochMs | null;
  records_attempts: number;
  records_problem: string | null;
  time_zone: string | null;
  payer: string | null;
};

/** Reads a reservation of any application, with everything behind it. */
export const findReservationInFull = oneRow<
  [reference: string],
  FileRow & PrefixedReservation,
  ReservationInFull
>({
  name: 'find-reservation-for-staff',
  text: `SELECT ${bookingColumns}, ${prefixedColumns},
      a.name, a.catalog_id, a.adjust_percent::float8 AS adjust_percent,
      b.payer, l.slug, l.name AS home_name, l.time_zone, r.records_due_at, r.records_attempts, r.records_problem
    FROM reservations r
    JOIN bookings b ON b.booking_id = r.booking_id AND b.application_id = r.application_id
      AND b.kind = r.kind
    ${quoteOfBooking}
    ${namesOf('r.application_id', 'r.listing_id')}
    WHERE r.reference = $1`,
  result: (row, executor) => ({
    reservation: reservationIn(row),
    booking: bookingOf(executor, row),
    application: {
      applicationId: row.application_id,
      name: row.name,
      settlement: row.settlement,
      catalogId: row.catalog_id,
      adjustPercent: row.adjust_percent,
    },
    payer: row.payer,
    home: {
      listingId: row.r_listingId,
      slug: row.slug,
      name: row.home_name,
      timeZone: row.time_zone,
    },
    records: {
      dueAt: row.records_due_at,
      attempts: row.records_attempts,
      problem: row.records_problem,
    },
    now: row.now,
  }),
});

/** A reservation in the list of staff. */
export interface ListedReservation {
  reference: string;
  state: ReservationState;
  applicationId: string;
  application: string;
  listingId: string;
  listing: string | null;
  listingName: string | null;
  /** Null: the guest was removed, or cannot be decrypted. */
  guestName: string | null;
  checkIn: string;
  checkOut: string;
  party: Party;
  currency: string;
  total: number;
  confirmedAt: EpochMs;
  cancelledAt: EpochMs | null;
}

/** The reservations to list, by the day of arrival; absent: all. */
export interface ReservationFilter {
  reference?: string | undefined;
  /** The address of the guest; case does not matter. */
  guestEmail?: string | undefined;
  partnerReference?: string | undefined;
  state?: ReservationState | undefined;
  listingId?: string | undefined;
  applicationId?: string | undefined;
  /** Only those that the operator's records did not accept. */
  recordsRefused?: boolean | undefined;
  /** The first day of arrival. */
  from?: string | undefined;
  /** The last day of arrival. */
  to?: string | undefined;
}

/** The last reservation of the page before. */
export interface ReservationPosition {
  checkIn: string;
  reference: string;
}

type ListedRow = Omit<ListedReservation, 'applicationId' | 'guestName'> &
  SealedGuest &
  Pick<BookingRow, 'kind'>;

const listedColumns = `r.reference, r.state, r.application_id, a.name AS application,
      r.kind, r.booking_id, r.listing_id AS "listingId", l.slug AS listing, l.name AS "listingName",
      r.check_in AS "checkIn", r.check_out AS "checkOut", r.party, r.charges->>'currency' AS currency,
      (r.charges->>'total')::bigint AS total, r.confirmed_at AS "confirmedAt",
      r.cancelled_at AS "cancelledAt"`;

function listedOf(
  executor: Executor,
  { application_id, booking_id, guest_sealed, kind: _, ...listed }: ListedRow,
): ListedReservation {
  const guestName = guestNameOf(executor, { application_id, booking_id, guest_sealed });
  return { ...listed, applicationId: application_id, guestName };
}

const looked = (table: string): string =>
  `${table} named
    CROSS JOIN LATERAL (SELECT * FROM reservations WHERE reference = named.reference OFFSET 0) r`;

/** Filters that find few rows. The first one that is given decides which rows are read. */
const sources = {
  // At most one for each application.
  partnerReference: looked(
    '(SELECT reference FROM bookings WHERE partner_reference = $5 OFFSET 0)',
  ),
  reference: looked('(SELECT $5::text AS reference)'),
  recordsRefused: `(SELECT * FROM reservations WHERE records_due_at IS NOT NULL
      ORDER BY records_due_at LIMIT $5) r`,
} as const satisfies Partial<Record<keyof ReservationFilter, string>>;

const comparisons = {
  reference: (value) => `r.reference = ${value}`,
  listingId: (value) => `r.listing_id = ${value}`,
  applicationId: (value) => `r.application_id = ${value}`,
  guestEmail: (value) => `r.guest_email_digest = ANY (${value}::bytea[])`,
} as const satisfies Partial<Record<keyof ReservationFilter, (value: string) => string>>;

// An array, and the application first in the order: only the application's own indexes have this order. With `=`, the
// planner may go through the reservations of all. A home, or a guest, has few.
const ofApplication = {
  compare: (value: string) => `r.application_id = ANY (ARRAY[${value}::uuid])`,
  order: 'r.application_id, ',
};

type Source = keyof typeof sources;
type Compared = keyof typeof comparisons;

const sourceNames = Object.keys(sources) as Source[];
const comparedNames = Object.keys(comparisons) as Compared[];

// After the limit: only the bookings of the page are read.
const guestOfPage = `CROSS JOIN LATERAL (
      SELECT guest_sealed FROM bookings WHERE booking_id = page.booking_id
        AND application_id = page.application_id AND kind = page.kind OFFSET 0) b`;

// Each combination of filters has a text of its own, so that it uses the index of one of them. A partial
// index serves a state only if the text names it: the planner does not know parameters.
function listStatement(
  source: Source | undefined,
  compared: readonly Compared[],
  { state, recordsRefused }: Pick<ReservationFilter, 'state' | 'recordsRefused'>,
): Statement {
  const first = source ? 6 : 5;
  const isByApplication = source === undefined && compared.join() === 'applicationId';
  const { compare, order } = isByApplication
    ? ofApplication
    : { compare: comparisons.applicationId, order: '' };
  const compares = { ...comparisons, applicationId: compare };
  const conditions = compared.map((name, at) => ` AND ${compares[name](`$${first + at}`)}`);
  const inState = state === undefined ? '' : ` AND r.state = '${state}'`;
  const refused = recordsRefused
    ? ' AND r.records_due_at IS NOT NULL AND r.records_problem IS NOT NULL'
    : '';
  return {
    name: 'list-reservations',
    variant: [
      state ?? 'any',
      source ?? 'all',
      ...(recordsRefused ? ['refused'] : []),
      ...compared,
    ].join('-'),
    text: `SELECT page.*, b.guest_sealed FROM (
      SELECT ${listedColumns}
      FROM ${source ? sources[source] : 'reservations r'}
      ${namesOf('r.application_id', 'r.listing_id')}
      WHERE (r.check_in, r.reference) > ($1::date, $2) AND r.check_in <= $3::date${inState}${refused}${conditions.join('')}
      ORDER BY ${order}r.check_in, r.reference LIMIT $4) page
    ${guestOfPage}
    ORDER BY page."checkIn", page.reference`,
  };
}

/** Lists reservations by day of arrival, earliest first, after the last one of the page before. */
export async function listReservations(
  executor: Executor,
  filter: ReservationFilter,
  after: ReservationPosition | null,
  atMost: number,
): Promise<ListedReservation[]> {
  const { guestEmail: email, from, to } = filter;
  const guestEmail =
    email === undefined ? undefined : identityDigests(executor.vault, 'email', email);
  const recordsRefused = filter.recordsRefused ? countedAtMost : undefined;
  const valueOf = { ...filter, guestEmail, recordsRefused };
  const source = sourceNames.find((name) => valueOf[name] !== undefined);
  const compared = comparedNames.filter((one) => one !== source && valueOf[one] !== undefined);
  // No reference is empty, so the first day is included.
  const { checkIn, reference } = after ?? { checkIn: from ?? '-infinity', reference: '' };
  const values = [checkIn, reference, to ?? 'infinity', atMost];
  const given = [...(source ? [source] : []), ...compared].map((name) => valueOf[name]);
  const rows = await executor.query<ListedRow>(listStatement(source, compared, filter), [
    ...values,
    ...given,
  ]);
  return rows.map((row) => listedOf(executor, row));
}

// To open the guests of 50,000 stays takes the better part of a second.
const guestsAtOnce = 200;

// A stay that has a night in these days begins at most as many nights before them as a stay can have.
const within = `r.check_in > $1::date - $4::integer AND r.check_in < $2::date AND r.check_out > $1::date`;

/** Counts the stays that have a night in these days, `to` excluded, up to `atMost`. */
export const countStaysWithin = theValue<
  [of: { from: string; to: string }, atMost: number],
  number
>({
  name: 'count-stays-within',
  // The latest arrivals first: of days with too many stays, nearly all that is read is counted.
  text: `SELECT count(*)::integer AS count FROM (
      SELECT FROM reservations r WHERE ${within} ORDER BY r.check_in DESC, r.reference DESC LIMIT $3) found`,
  values: ({ from, to }, atMost) => [from, to, atMost, limits.nightsPerStay.max],
});

const staysWithinStatement: Statement = {
  name: 'list-stays-within',
  text: `SELECT page.*, b.guest_sealed FROM (
      SELECT ${listedColumns}
      FROM reservations r
      ${namesOf('r.application_id', 'r.listing_id')}
      WHERE ${within}
      ORDER BY r.check_in, r.reference LIMIT $3) page
    ${guestOfPage}
    ORDER BY page."checkIn", page.reference`,
};

/** Lists the stays that have a night in these days, `to` excluded, earliest arrival first, up to `atMost`. */
export async function listStaysWithin(
  executor: Executor,
  { from, to }: { from: string; to: string },
  atMost: number,
): Promise<ListedReservation[]> {
  const values = [from, to, atMost, limits.nightsPerStay.max];
  const rows = await executor.query<ListedRow>(staysWithinStatement, values);
  return mapInSlices(rows, guestsAtOnce, (row) => listedOf(executor, row));
}
