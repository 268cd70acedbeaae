import type { ReservationState } from '../../contract/states.ts';
import type { Announcement, Reservation } from '../rules/booking.ts';
import { type EpochMs, instant } from '../../contract/time.ts';
import type { ReservationUpdate } from '../rules/reservation.ts';
import { quoteOfBooking } from './booking-row.ts';
import { cancelledUncounted } from './reservation-days.ts';
import type { Executor, Statement } from '../../platform/postgres/database.ts';
import { hasRow, oneRow, theRow } from '../../platform/postgres/statement-functions.ts';

/** The columns of a reservation. */
const columnOf = {
  reference: 'reference',
  version: 'version',
  applicationId: 'application_id',
  kind: 'kind',
  bookingId: 'booking_id',
  state: 'state',
  listingId: 'listing_id',
  checkIn: 'check_in',
  checkOut: 'check_out',
  party: 'party',
  charges: 'charges',
  cancellation: 'cancellation',
  refundMinor: 'refund_minor',
  collectedMinor: 'collected_minor',
  confirmedAt: 'confirmed_at',
  cancelledAt: 'cancelled_at',
  updatedAt: 'updated_at',
  materializedAt: 'materialized_at',
  announcedChange: 'announced_change',
  announcedFor: 'announced_for',
} as const;

/** A reservation as it is read. */
type ReservationRow = Omit<Reservation, 'announced'> & {
  announcedChange: Announcement['change'] | null;
  announcedFor: EpochMs | null;
};

/** The reservation `r` in a row of several tables: each member with a prefix. */
export type PrefixedReservation = {
  [Member in keyof ReservationRow as `r_${Member}`]: ReservationRow[Member];
};

const columnsWith = (prefix: string): string =>
  Object.entries(columnOf)
    .map(([member, column]) => `r.${column} AS "${prefix}${member}"`)
    .join(', ');

/** The columns for a `PrefixedReservation`. */
export const prefixedColumns = columnsWith('r_');

/** A reservation, with the database's time of the read. */
export interface FoundReservation {
  reservation: Reservation;
  /** The partner's own reference of the booking. */
  partnerReference: string | null;
  now: EpochMs;
}

const reservationOf = ({
  announcedChange: change,
  announcedFor: at,
  ...reservation
}: ReservationRow): Reservation => ({
  ...reservation,
  announced: change !== null && at !== null ? { change, at } : null,
});

/** The reservation in a row of several tables. */
export const reservationIn = (row: PrefixedReservation): Reservation =>
  reservationOf(
    Object.fromEntries(
      Object.keys(columnOf).map((member) => [member, row[`r_${member as keyof typeof columnOf}`]]),
    ) as unknown as ReservationRow,
  );

// The references of a checkout and of a request are columns of their own; a booking has at most one of them.
const ownReference = `(SELECT coalesce(b.partner_reference, b.checkout_reference) FROM bookings b
      WHERE b.application_id = r.application_id AND b.kind = r.kind AND b.booking_id = r.booking_id
    )`;

const columns = `${columnsWith('')}, now() AS now, ${ownReference} AS "partnerReference"`;

type FoundRow = ReservationRow & Omit<FoundReservation, 'reservation'>;

const foundOf = ({ partnerReference, now, ...row }: FoundRow): FoundReservation => ({
  reservation: reservationOf(row),
  partnerReference,
  now,
});

/** Reads a reservation of the application. */
export const findReservation = oneRow<
  [applicationId: string, reference: string],
  FoundRow,
  FoundReservation
>({
  name: 'find-reservation',
  text: `SELECT ${columns} FROM reservations r
    WHERE reference = $2 AND application_id = $1`,
  result: foundOf,
});

/** Which reservations of an application to list. */
export interface ReservationFilter {
  partnerReference?: string | undefined;
  state?: ReservationState | undefined;
  checkInFrom?: string | undefined;
  checkInTo?: string | undefined;
  updatedSince?: string | undefined;
}

/** The last reservation of a page. */
export interface ReservationPosition {
  confirmedAt: EpochMs;
  reference: string;
}

const newestFirst = 'r.confirmed_at DESC, r.reference DESC';

const before = `(r.confirmed_at, r.reference) < ($2, $3)`;

/** The filters, whose values begin at this parameter. */
const wantedFrom = (n: number): string => `($${n}::text IS NULL OR r.state = $${n})
      AND ($${n + 1}::date IS NULL OR r.check_in >= $${n + 1})
      AND ($${n + 2}::date IS NULL OR r.check_in <= $${n + 2})
      AND ($${n + 3}::timestamptz IS NULL OR r.updated_at >= $${n + 3})`;

// An array, and the application first in the order: only the application's own index has this order. With `=`, the planner
// may go through the reservations of all, and passes over millions of a large partner for the few of a small one.
const looked = `SELECT r.* FROM reservations r
      WHERE r.application_id = ANY (ARRAY[$1::uuid]) AND ${before} ORDER BY r.application_id, ${newestFirst}`;

// Ends early: the filter reads rows of the inner statement until the page is full.
const listStatement: Statement = {
  name: 'list-reservations-of-application',
  text: `SELECT ${columns} FROM (${looked} LIMIT $9) r
    WHERE ${wantedFrom(5)}
    ORDER BY r.application_id, ${newestFirst} LIMIT $4`,
};

const lookedUntilStatement: Statement = {
  name: 'find-reservation-looked-at',
  text: `SELECT r.confirmed_at AS "confirmedAt", r.reference FROM (${looked} OFFSET $4 LIMIT 1) r`,
};

// The checkouts with a reference of the partner, which may have given all of them the same one: last confirmed first. A
// booking is resolved at the instant of its confirmation.
const referred = `SELECT resolved_at AS "confirmedAt", reference FROM bookings
      WHERE application_id = $1 AND checkout_reference = $5 AND (resolved_at, reference) < ($2, $3)
      ORDER BY resolved_at DESC, reference DESC`;

const listByReferenceStatement: Statement = {
  name: 'list-reservations-of-application',
  variant: 'reference',
  text: `SELECT ${columns} FROM (SELECT x.* FROM (
        SELECT reference FROM bookings WHERE application_id = $1 AND partner_reference = $5
        UNION ALL
        SELECT reference FROM (${referred} LIMIT $10) looked
      ) b CROSS JOIN LATERAL (
        SELECT * FROM reservations WHERE reference = b.reference OFFSET 0) x) r
    WHERE r.application_id = $1 AND ${before} AND ${wantedFrom(6)}
    ORDER BY ${newestFirst} LIMIT $4`,
};

const referredUntilStatement: Statement = {
  name: 'find-reservation-looked-at',
  variant: 'reference',
  text: `${referred} OFFSET $4 LIMIT 1`,
};

/** The part of a list to read. */
export interface ReservationSlice {
  after: ReservationPosition | null;
  atMost: number;
  /** The maximum number of compared reservations, so that a rare filter does not read all of them at once. */
  lookAtMost: number;
}

/** Reservations of an application. */
export interface OwnReservations {
  found: FoundReservation[];
  /** The oldest compared reservation, if older ones may match. Null: all were compared, or the page is full. */
  lookedUntil: ReservationPosition | null;
}

/** Lists reservations of an application, newest confirmation first, after the last one of the previous page. */
export async function listOwnReservations(
  executor: Executor,
  applicationId: string,
  filter: ReservationFilter,
  { after, atMost, lookAtMost }: ReservationSlice,
): Promise<OwnReservations> {
  const { partnerReference } = filter;
  const from = [
    applicationId,
    after ? instant(after.confirmedAt) : 'infinity',
    after?.reference ?? '',
  ];
  const named = partnerReference === undefined ? [] : [partnerReference];
  const values = [filter.state, filter.checkInFrom, filter.checkInTo, filter.updatedSince];
  const [list, until] =
    partnerReference === undefined
      ? [listStatement, lookedUntilStatement]
      : [listByReferenceStatement, referredUntilStatement];
  const rows = await executor.query<FoundRow>(list, [
    ...from,
    atMost,
    ...named,
    ...values,
    lookAtMost,
  ]);
  const found = rows.map(foundOf);
  if (found.length === atMost) return { found, lookedUntil: null };
  const passed = [...from, lookAtMost - 1, ...named];
  const [last] = await executor.query<ReservationPosition>(until, passed);
  return { found, lookedUntil: last ?? null };
}

/** Reads the stay as it was when its booking was confirmed. */
export const findConfirmedStay = theRow<
  [reservation: Reservation],
  Pick<Reservation, 'listingId' | 'checkIn' | 'checkOut' | 'party' | 'charges'>
>({
  name: 'find-confirmed-stay',
  text: `SELECT q.listing_id AS "listingId", q.check_in AS "checkIn", q.check_out AS "checkOut", q.party,
      coalesce(b.charges, q.charges) AS charges
    FROM bookings b ${quoteOfBooking}
    WHERE b.application_id = $1 AND b.kind = $2 AND b.booking_id = $3`,
  values: ({ applicationId, kind, bookingId }) => [applicationId, kind, bookingId],
});

/** Locks a reservation until the transaction ends. False: it has changed since it was read. */
export const holdReservation = hasRow<[reservation: Pick<Reservation, 'reference' | 'version'>]>({
  name: 'hold-reservation',
  text: 'SELECT reference FROM reservations WHERE reference = $1 AND version = $2 FOR NO KEY UPDATE',
  values: ({ reference, version }) => [reference, version],
});

const jsonOrNull = (value: unknown): string | null =>
  value === null ? null : JSON.stringify(value);

/** Writes a change of a reservation with its events. False: it has changed since it was read. */
export const updateReservation = hasRow<[reservationUpdate: ReservationUpdate]>({
  name: 'update-reservation',
  // Guarded by the version: staff and an announced change cannot overwrite each other.
  text: `WITH written AS (
      UPDATE reservations SET version = version + 1, state = $4, listing_id = $5, check_in = $6,
        check_out = $7, party = $8, charges = $9, cancellation = $10, refund_minor = $11,
        cancelled_at = $12, updated_at = $13, announced_change = $14, announced_for = $15,
        collected_minor = $18
      WHERE reference = $2 AND application_id = $1 AND version = $3
      RETURNING application_id, kind, booking_id, state
    ), cancelled AS (
      SELECT application_id, kind, booking_id FROM written WHERE state = 'cancelled'
    ), ${cancelledUncounted('cancelled')}, counter AS (
      UPDATE event_counters c SET last_sequence = c.last_sequence + cardinality($16::text[])
      FROM written WHERE c.application_id = written.application_id
      RETURNING c.application_id, c.last_sequence
    ), emitted AS (
      INSERT INTO events (application_id, sequence, type, data, created_at)
      SELECT counter.application_id,
        counter.last_sequence - cardinality($16::text[]) + draft.ordinal,
        draft.type, draft.data::json, clock_timestamp()
      FROM counter, unnest($16::text[], $17::text[]) WITH ORDINALITY AS draft (type, data, ordinal)
    )
    SELECT application_id FROM written`,
  values: ({ next, events }) => [
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
    next.collectedMinor,
  ],
});
