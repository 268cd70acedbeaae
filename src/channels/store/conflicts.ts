import type { EpochMs } from '../../contract/time.ts';
import type { Executor, Statement } from '../../platform/postgres/database.ts';
import { manyRows, theValue } from '../../platform/postgres/statement-functions.ts';
import type { DayNumber } from '../../pricing/index.ts';
import type { EventNights, NightConflict } from '../rules/nights.ts';
import { outsideHolder, outsideStayOfEvent } from './outside-stays.ts';

const nightsOf = (first: string, afterLast: string): string =>
  `daterange(date '1970-01-01' + ${first}::integer, date '1970-01-01' + ${afterLast}::integer)`;

const removeStatement: Statement = {
  name: 'remove-ended-conflicts',
  text: `DELETE FROM channel_conflicts WHERE calendar_id = $1 AND nights <> ALL (
      ARRAY(SELECT ${nightsOf('first', 'after_last')}
        FROM unnest($2::integer[], $3::integer[]) AS asked (first, after_last)))`,
};

const writeStatement: Statement = {
  name: 'write-conflicts',
  text: `INSERT INTO channel_conflicts AS k
      (calendar_id, nights, event_uid, occupancy_id, kind, reference)
    SELECT $1, ${nightsOf('first', 'after_last')}, uid, occupancy_id, kind, reference
    FROM unnest($2::integer[], $3::integer[], $4::text[], $5::uuid[], $6::text[], $7::text[])
      AS asked (first, after_last, uid, occupancy_id, kind, reference)
    ON CONFLICT (calendar_id, nights) DO UPDATE SET event_uid = excluded.event_uid,
      occupancy_id = excluded.occupancy_id, kind = excluded.kind, reference = excluded.reference,
      found_at = now()
    WHERE (k.event_uid, k.occupancy_id, k.kind) IS DISTINCT FROM
      (excluded.event_uid, excluded.occupancy_id, excluded.kind)
    RETURNING lower(nights) - date '1970-01-01' AS from, upper(nights) - date '1970-01-01' AS to`,
};

/** Makes these the conflicts of a calendar. Returns those that are new or different. */
export async function replaceConflicts(
  executor: Executor,
  calendarId: string,
  conflicts: readonly NightConflict[],
): Promise<NightConflict[]> {
  const nights = [conflicts.map(({ from }) => from), conflicts.map(({ to }) => to)];
  await executor.query(removeStatement, [calendarId, ...nights]);
  if (conflicts.length === 0) return [];
  const written = await executor.query<{ from: DayNumber; to: DayNumber }>(writeStatement, [
    calendarId,
    ...nights,
    conflicts.map(({ uid }) => uid),
    conflicts.map(({ taken }) => taken.occupancyId),
    conflicts.map(({ taken }) => taken.kind),
    conflicts.map(({ taken }) => taken.reference),
  ]);
  const isWritten = new Set(written.map(({ from, to }) => `${from} ${to}`));
  return conflicts.filter(({ from, to }) => isWritten.has(`${from} ${to}`));
}

/** Reads the nights that a calendar could not block, by date. */
export const readConflictNights = manyRows<
  [calendarId: string],
  EventNights & { foundAt: EpochMs }
>({
  name: 'read-conflict-nights',
  text: `SELECT event_uid AS uid, lower(nights) - date '1970-01-01' AS from,
      upper(nights) - date '1970-01-01' AS to, found_at AS "foundAt"
    FROM channel_conflicts WHERE calendar_id = $1 ORDER BY nights`,
});

/** Nights of another channel's event, or of an outside stay, that something else has, as staff see it. */
export interface ListedConflict {
  /** Null: it is the conflict of an outside stay. */
  calendarId: string | null;
  listingId: string;
  slug: string;
  name: string;
  eventUid: string | null;
  /** The outside stay that has the conflict. Null: it is that of an event. */
  outsideSource: string | null;
  outsideId: string | null;
  /** The first night, and the day after the last: `YYYY-MM-DD`. */
  from: string;
  to: string;
  foundAt: EpochMs;
  kind: 'held' | 'confirmed' | 'block';
  reference: string | null;
  occupancyId: string;
  /** Of a block. */
  source: string | null;
  reason: string | null;
  /** Of an outside stay that has the nights: `source/externalId`. */
  outsideHolder: string | null;
}

/** What has nights of a conflict now, if it is not the calendar itself. Part of a statement. */
const holder = `o.nights && k.nights AND (o.calendar_id = k.calendar_id) IS NOT TRUE`;

/** Whether the event of the conflict `k` is an outside stay, whose own conflicts stand for it. Part of a statement. */
const isOutsideStay = `EXISTS (
        SELECT FROM (SELECT * FROM channel_calendars WHERE calendar_id = k.calendar_id OFFSET 0) c
        CROSS JOIN LATERAL (SELECT nights FROM channel_events WHERE calendar_id = c.calendar_id
          AND event_uid = k.event_uid AND nights && k.nights OFFSET 0) e
        WHERE EXISTS (SELECT FROM ${outsideStayOfEvent}) OFFSET 0)`;

/**
 * Part of a statement about rows `k`. A file, or a calendar that cannot be read, does not update its conflicts: they
 * end with their nights. A part that has become free is the calendar's own.
 */
export const isOpenConflict = `upper(k.nights) > current_date AND EXISTS (
        SELECT FROM occupancies o WHERE ${holder} AND o.listing_id = (
          SELECT listing_id FROM channel_calendars WHERE calendar_id = k.calendar_id))
        AND NOT ${isOutsideStay}`;

/** Whether the outside stay `s` has conflicts that are not over. Part of a statement. */
export const isOpenOutsideStay = `s.contested AND upper(s.nights) > current_date AND EXISTS (
          SELECT FROM occupancies o WHERE ${outsideHolder} AND upper(o.nights) > current_date OFFSET 0)`;

/** The outside stays with conflicts that are not over. Part of a statement. */
export const openOutsideStays = `SELECT FROM outside_stays s WHERE ${isOpenOutsideStay}`;

/** Counts the conflicts of all homes that are not over, up to `atMost`. */
export const countConflicts = theValue<[atMost: number], number>({
  name: 'count-conflicts',
  text: `SELECT count(*)::integer AS count
    FROM (SELECT FROM channel_conflicts k WHERE ${isOpenConflict}
      UNION ALL ${openOutsideStays} LIMIT $1) found`,
});

// What has the nights is read, and not what had them when the conflict was found: parts may be free, or another's.
// Two transactions that free parts of one conflict leave rows that overlap.
const list = (
  conflicts: string,
  stays: string,
): string => `SELECT k."calendarId", k."listingId", l.slug, l.name, k."eventUid", k."outsideSource", k."outsideId",
      lower(k.part) AS from, upper(k.part) AS to, k."foundAt", o.kind, o.reference,
      o.occupancy_id AS "occupancyId", o.source, o.reason, (
        SELECT s.source || '/' || s.external_id FROM outside_stays s WHERE s.outside_stay_id = o.outside_stay_id
      ) AS "outsideHolder"
    FROM (
      SELECT k.calendar_id AS "calendarId", k.listing_id AS "listingId", k.event_uid AS "eventUid",
        NULL AS "outsideSource", NULL AS "outsideId",
        o.occupancy_id, unnest(range_agg(k.nights * o.nights)) AS part, min(k.found_at) AS "foundAt"
      FROM ${conflicts} k
      CROSS JOIN LATERAL (
        SELECT * FROM occupancies o WHERE o.listing_id = k.listing_id AND ${holder} OFFSET 0) o
      WHERE upper(k.nights) > current_date AND NOT ${isOutsideStay}
      GROUP BY k.calendar_id, k.listing_id, k.event_uid, o.occupancy_id
      UNION ALL
      SELECT NULL, s.listing_id, NULL, s.source, s.external_id, o.occupancy_id, o.nights * s.nights, s.updated_at
      FROM ${stays} s
      CROSS JOIN LATERAL (SELECT * FROM occupancies o WHERE ${outsideHolder} OFFSET 0) o
      WHERE s.contested AND upper(s.nights) > current_date
    ) k
    CROSS JOIN LATERAL (SELECT slug, name FROM listings WHERE listing_id = k."listingId" OFFSET 0) l
    CROSS JOIN LATERAL (SELECT * FROM occupancies WHERE occupancy_id = k.occupancy_id OFFSET 0) o
    WHERE upper(k.part) > current_date
    ORDER BY o.kind = 'block' AND o.calendar_id IS NULL AND o.outside_stay_id IS NULL, k."listingId", k.part,
      k."calendarId" LIMIT $1`;

// Of very many, as a calendar in error makes, those that end first are ordered: before the order, all would be read.
const listStatement: Statement = {
  name: 'list-conflicts',
  text: list(
    `(SELECT k.*, c.listing_id FROM (SELECT * FROM channel_conflicts k WHERE ${isOpenConflict}
          ORDER BY upper(k.nights) LIMIT $2) k
        CROSS JOIN LATERAL (
          SELECT listing_id FROM channel_calendars WHERE calendar_id = k.calendar_id OFFSET 0) c)`,
    `(SELECT * FROM outside_stays s WHERE ${isOpenOutsideStay} ORDER BY upper(s.nights) LIMIT $2)`,
  ),
};

const listOfHomeStatement: Statement = {
  name: 'list-conflicts-of-home',
  text: list(
    `(SELECT k.*, c.listing_id FROM (
          SELECT calendar_id, listing_id FROM channel_calendars WHERE listing_id = $2 OFFSET 0) c
        CROSS JOIN LATERAL (
          SELECT * FROM channel_conflicts WHERE calendar_id = c.calendar_id OFFSET 0) k)`,
    '(SELECT * FROM outside_stays WHERE listing_id = $2 OFFSET 0)',
  ),
};

const lookedAtMost = 10_000;

/**
 * Lists conflicts that are not over, first those with another guest, by home and date. `listingId` null: of all homes,
 * among the `lookAtMost` that end first.
 */
export const listConflicts = (
  executor: Executor,
  listingId: string | null,
  atMost: number,
  lookAtMost = lookedAtMost,
): Promise<ListedConflict[]> =>
  listingId === null
    ? executor.query<ListedConflict>(listStatement, [atMost, lookAtMost])
    : executor.query<ListedConflict>(listOfHomeStatement, [atMost, listingId]);
