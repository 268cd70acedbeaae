/** What the overview of staff shows of bookings. Each read is bounded. */
import type { EpochMs } from '../../contract/time.ts';
import type { Executor, Statement } from '../../platform/postgres/database.ts';
import { manyRows, theValue } from '../../platform/postgres/statement-functions.ts';
import { dateText, type Party, todayAt } from '../../pricing/index.ts';
import { type BookingRow, guestNameOf, namesOf } from './booking-row.ts';

/** A reservation whose guests arrive or leave today. */
export interface StayOfToday {
  reference: string;
  applicationId: string;
  application: string;
  listingId: string;
  listing: string | null;
  home: string | null;
  /** Null: removed, or it cannot be read. */
  guest: string | null;
  checkIn: string;
  checkOut: string;
  party: Party;
}

type Edge = 'check_in' | 'check_out';

const stayColumns = { check_in: 'checkIn', check_out: 'checkOut' } as const;

/** Reads the time by which it is decided what is today. */
export const readNow = theValue<[], EpochMs>({
  name: 'now-of-overview',
  text: 'SELECT now() AS now',
});

/** A stay that begins or ends on a day that is today somewhere. */
type NearStay = Omit<StayOfToday, 'guest'> &
  Pick<BookingRow, 'application_id' | 'booking_id' | 'guest_sealed'> & { timeZone: string | null };

// A comparison of (day, reference) would begin at the first row of the index, whatever the day is compared with beside.
const nearStatement = (column: Edge): Statement => ({
  name: 'list-stays-about-today',
  variant: column,
  text: `SELECT r.reference, r.application_id AS "applicationId", a.name AS application,
      r.listing_id AS "listingId", l.slug AS listing, l.name AS home, r.check_in AS "checkIn",
      r.check_out AS "checkOut", r.party, l.time_zone AS "timeZone",
      r.application_id, r.booking_id, b.guest_sealed
    FROM (
      SELECT * FROM reservations n
      WHERE state = 'confirmed' AND ${column} = $2::date AND reference > $3
        AND coalesce((SELECT time_zone FROM listings WHERE listing_id = n.listing_id), '') <> ALL ($4::text[])
      ORDER BY reference LIMIT $1) r
    ${namesOf('r.application_id', 'r.listing_id')}
    LEFT JOIN LATERAL (
      SELECT guest_sealed FROM bookings WHERE booking_id = r.booking_id
        AND application_id = r.application_id AND kind = r.kind OFFSET 0) b ON true
    ORDER BY r.reference`,
});

// Which day it is in a zone is decided by the process: PostgreSQL's rules of time zones may be older than those by
// which prices and refunds are decided. Of a zone in which it is another day, one page is read.
async function listStaysWhereToday(
  executor: Executor,
  column: Edge,
  { now, day }: { now: EpochMs; day: string },
  atMost: number,
): Promise<StayOfToday[]> {
  const found: StayOfToday[] = [];
  const elsewhere = new Set<string>();
  let after = '';
  while (found.length < atMost) {
    const values = [atMost, day, after, [...elsewhere]];
    const page = await executor.query<NearStay>(nearStatement(column), values);
    for (const { timeZone, application_id, booking_id, guest_sealed, ...stay } of page) {
      if (dateText(todayAt(now, timeZone)) !== day) {
        elsewhere.add(timeZone ?? '');
        continue;
      }
      const guest = guestNameOf(executor, { application_id, booking_id, guest_sealed });
      found.push({ ...stay, guest });
    }
    const last = page.at(-1);
    if (!last || page.length < atMost) break;
    after = last.reference;
  }
  return found;
}

// Today at a property is yesterday, today or tomorrow in UTC. Where most homes are, it is mostly the same day.
const daysFromUtc = [0, 1, -1];

async function listStaysOfToday(
  executor: Executor,
  column: Edge,
  now: EpochMs,
  atMost: number,
): Promise<StayOfToday[]> {
  const found: StayOfToday[] = [];
  for (const days of daysFromUtc) {
    if (found.length >= atMost) break;
    const day = dateText(todayAt(now, null) + days);
    found.push(...(await listStaysWhereToday(executor, column, { now, day }, atMost)));
  }
  const dayOf = (stay: StayOfToday) => stay[stayColumns[column]];
  return found.slice(0, atMost).toSorted((a, b) => dayOf(a).localeCompare(dayOf(b)));
}

/** Lists some reservations whose guests arrive today at the property. */
export const listArrivals = (
  executor: Executor,
  now: EpochMs,
  atMost: number,
): Promise<StayOfToday[]> => listStaysOfToday(executor, 'check_in', now, atMost);

/** Lists some reservations whose guests leave today at the property. */
export const listDepartures = (
  executor: Executor,
  now: EpochMs,
  atMost: number,
): Promise<StayOfToday[]> => listStaysOfToday(executor, 'check_out', now, atMost);

/** Counts bookings whose outcome is not known, up to `atMost`. */
export const countUncertain = theValue<[atMost: number], number>({
  name: 'count-uncertain-bookings',
  text: `SELECT count(*)::integer AS count FROM (
      SELECT FROM bookings WHERE state IN ('uncertain', 'unresolved') AND submitted_at > '-infinity'
      LIMIT $1) found`,
});

/** The bookings of a day in UTC, of one application and currency. Their prices are those of that day. */
export interface BookedDay {
  day: string;
  applicationId: string;
  application: string;
  currency: string;
  bookings: number;
  /** In minor units. */
  total: number;
}

/** Lists what was booked in the last days, oldest first. */
export const listBookedDays = manyRows<[days: number, atMost: number], BookedDay>({
  name: 'list-booked-days',
  text: `SELECT d.day, d.application_id AS "applicationId", a.name AS application, d.currency, d.bookings,
      d.total_minor AS total
    FROM booked_days d CROSS JOIN LATERAL (
      SELECT name FROM applications WHERE application_id = d.application_id OFFSET 0) a
    WHERE d.day > (now() AT TIME ZONE 'UTC')::date - $1::integer
    ORDER BY d.day, a.name, d.application_id, d.currency LIMIT $2`,
});

const ofDay = `confirmed_at >= d.day::timestamp AT TIME ZONE 'UTC'
        AND confirmed_at < (d.day + 1)::timestamp AT TIME ZONE 'UTC'`;

// Today and yesterday change. An earlier day is summed up once, at the first start or after days without a
// worker.
const daysStatement: Statement = {
  name: 'days-to-sum-up',
  text: `WITH today AS (SELECT (now() AT TIME ZONE 'UTC')::date AS day)
    (SELECT d.day, true AS "isMissing" FROM today, LATERAL (
        SELECT today.day - ago AS day FROM generate_series(2, 31) ago) d
      WHERE NOT EXISTS (SELECT FROM booked_days b WHERE b.day = d.day OFFSET 0)
        AND EXISTS (SELECT FROM reservations WHERE ${ofDay} OFFSET 0)
      ORDER BY d.day DESC LIMIT $1)
    UNION ALL SELECT day - ago, false FROM today, generate_series(0, 1) ago`,
};

// A day of a large installation takes longer than a statement may.
const sumStatement: Statement = {
  name: 'sum-up-slice-of-day',
  text: `WITH slice AS MATERIALIZED (
      SELECT r.application_id, r.charges, r.confirmed_at FROM (SELECT $1::date AS day) d
      CROSS JOIN LATERAL (
        SELECT * FROM reservations WHERE ${ofDay} AND confirmed_at > $2::timestamptz
        ORDER BY confirmed_at FETCH FIRST ($3) ROWS WITH TIES) r
    )
    SELECT application_id AS "applicationId", charges->>'currency' AS currency, count(*)::integer AS bookings,
      sum((charges->>'total')::bigint)::bigint AS total,
      (SELECT max(confirmed_at)::text FROM slice HAVING count(*) >= $3) AS next
    FROM slice GROUP BY 1, 2`,
};

type Sum = Pick<BookedDay, 'applicationId' | 'currency' | 'bookings' | 'total'>;

/** The sums of a day, read in slices of so many bookings. */
async function sumsOfDay(executor: Executor, day: string, atOnce: number): Promise<Sum[]> {
  const sums = new Map<string, Sum>();
  let after: string | null = '-infinity';
  while (after !== null) {
    const slice: (Sum & { next: string | null })[] = await executor.query(sumStatement, [
      day,
      after,
      atOnce,
    ]);
    for (const { next: _, ...part } of slice) {
      const name = `${part.applicationId} ${part.currency}`;
      const { bookings = 0, total = 0 } = sums.get(name) ?? {};
      sums.set(name, { ...part, bookings: bookings + part.bookings, total: total + part.total });
    }
    after = slice[0]?.next ?? null;
  }
  return [...sums.values()];
}

const writeStatement: Statement = {
  name: 'write-booked-day',
  text: `INSERT INTO booked_days AS b (day, application_id, currency, bookings, total_minor)
    SELECT $1::date, * FROM unnest($2::uuid[], $3::text[], $4::integer[], $5::bigint[]) ORDER BY 2, 3
    ON CONFLICT (day, application_id, currency) DO UPDATE
      SET bookings = excluded.bookings, total_minor = excluded.total_minor
      WHERE (b.bookings, b.total_minor) IS DISTINCT FROM (excluded.bookings, excluded.total_minor)`,
};

const summedAtOnce = 50_000;

/** Sums up the bookings of today and yesterday, and of a batch of earlier days. Returns how many earlier ones. */
export async function sumUpBookings(
  executor: Executor,
  atMost: number,
  atOnce = summedAtOnce,
): Promise<number> {
  const days = await executor.query<{ day: string; isMissing: boolean }>(daysStatement, [atMost]);
  for (const { day } of days) {
    const sums = await sumsOfDay(executor, day, atOnce);
    await executor.query(writeStatement, [
      day,
      sums.map(({ applicationId }) => applicationId),
      sums.map(({ currency }) => currency),
      sums.map(({ bookings }) => bookings),
      sums.map(({ total }) => total),
    ]);
  }
  return days.filter(({ isMissing }) => isMissing).length;
}
