/** The calendars of a home that must be read before a booking is confirmed, and who reads them. */
import {
  manyRows,
  manyValues,
  noRows,
  theValue,
} from '../../platform/postgres/statement-functions.ts';
import { freshForSeconds, quietForSeconds } from '../rules/before-confirm.ts';
import { claim, claimOf, type CalendarClaim, type ClaimRow } from './claims.ts';

const before = (seconds: number): string => `now() - interval '${seconds} seconds'`;

/** `mustBeRead` as SQL. Spec: CHANNEL-11. */
const isStale = `c.url_sealed IS NOT NULL
      AND coalesce(c.refreshed_at < ${before(freshForSeconds)}, true)
      AND NOT coalesce(c.problem IS NOT NULL AND c.checked_at > ${before(quietForSeconds)}, false)
      AND NOT coalesce(c.late_at > ${before(quietForSeconds)}, false)`;

/** The calendars of a home whose last whole read is too old. */
export const readStaleCalendars = manyValues<[listingId: string], string>({
  name: 'stale-calendars',
  text: `SELECT c.calendar_id AS "calendarId" FROM channel_calendars c
    WHERE c.listing_id = $1 AND ${isStale}`,
});

/** Claims those of stale calendars that nobody reads: one process reads each of them, for all bookings. */
export const claimStaleCalendars = manyRows<
  [calendarIds: readonly string[], leaseSeconds: number],
  ClaimRow,
  CalendarClaim
>({
  name: 'claim-stale-calendars',
  // One that was due by itself is read by this; otherwise its next read by itself stays where it was.
  text: claim(
    `SELECT c.calendar_id FROM channel_calendars c
      WHERE c.calendar_id = ANY ($1::uuid[]) AND ${isStale} AND (c.reading_until > now()) IS NOT TRUE
      ORDER BY c.calendar_id FOR UPDATE SKIP LOCKED`,
    'CASE WHEN old.due_at > now() THEN old.due_at END',
  ),
  result: (row, executor) => claimOf(executor, row),
});

/** Those of calendars that are being read. */
export const readBeingRead = manyValues<[calendarIds: readonly string[]], string>({
  name: 'calendars-being-read',
  text: `SELECT calendar_id AS "calendarId" FROM channel_calendars
    WHERE calendar_id = ANY ($1::uuid[]) AND reading_until > now()`,
});

/** Writes that a booking has waited for these calendars in vain. */
export const writeLate = noRows<[calendarIds: readonly string[]]>({
  name: 'write-late-calendars',
  text: `UPDATE channel_calendars SET late_at = now() WHERE calendar_id = ANY (ARRAY(
      SELECT calendar_id FROM channel_calendars WHERE calendar_id = ANY ($1::uuid[])
      ORDER BY calendar_id FOR NO KEY UPDATE SKIP LOCKED))`,
});

/** Whether another channel, or another system, has sold nights that a stay or booking has. */
export const areContested = theValue<[occupancyId: string], boolean>({
  name: 'find-contested-nights',
  text: `SELECT EXISTS (
      SELECT FROM occupancies o
      CROSS JOIN LATERAL (
        SELECT calendar_id FROM channel_calendars WHERE listing_id = o.listing_id OFFSET 0
      ) c
      CROSS JOIN LATERAL (
        SELECT FROM channel_conflicts k WHERE k.calendar_id = c.calendar_id AND k.nights && o.nights OFFSET 0
      ) k
      WHERE o.occupancy_id = $1) OR EXISTS (
      SELECT FROM occupancies o
      CROSS JOIN LATERAL (
        SELECT FROM outside_stays s WHERE s.listing_id = o.listing_id AND s.nights && o.nights OFFSET 0
      ) s
      WHERE o.occupancy_id = $1) AS contested`,
});
