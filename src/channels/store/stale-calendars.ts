/** The calendars of a home that must be read before a booking is confirmed, and who reads them. */
import type { Executor, Statement } from '../../platform/postgres/database.ts';
import { freshForSeconds, quietForSeconds } from '../rules/before-confirm.ts';
import { claim, claimOf, type CalendarClaim, type ClaimRow } from './claims.ts';

const before = (seconds: number): string => `now() - interval '${seconds} seconds'`;

/** `mustBeRead` as SQL. Spec: CHANNEL-11. */
const isStale = `c.url_sealed IS NOT NULL
      AND coalesce(c.refreshed_at < ${before(freshForSeconds)}, true)
      AND NOT coalesce(c.problem IS NOT NULL AND c.checked_at > ${before(quietForSeconds)}, false)
      AND NOT coalesce(c.late_at > ${before(quietForSeconds)}, false)`;

const staleStatement: Statement = {
  name: 'stale-calendars',
  text: `SELECT c.calendar_id AS "calendarId" FROM channel_calendars c
    WHERE c.listing_id = $1 AND ${isStale}`,
};

/** The calendars of a home whose last whole read is too old. */
export async function readStaleCalendars(executor: Executor, listingId: string): Promise<string[]> {
  const rows = await executor.query<{ calendarId: string }>(staleStatement, [listingId]);
  return rows.map(({ calendarId }) => calendarId);
}

// One that was due by itself is read by this; otherwise its next read by itself stays where it was.
const claimStatement: Statement = {
  name: 'claim-stale-calendars',
  text: claim(
    `SELECT c.calendar_id FROM channel_calendars c
      WHERE c.calendar_id = ANY ($1::uuid[]) AND ${isStale} AND (c.reading_until > now()) IS NOT TRUE
      ORDER BY c.calendar_id FOR UPDATE SKIP LOCKED`,
    'CASE WHEN old.due_at > now() THEN old.due_at END',
  ),
};

/** Claims those of stale calendars that nobody reads: one process reads each of them, for all bookings. */
export async function claimStaleCalendars(
  executor: Executor,
  calendarIds: readonly string[],
  leaseSeconds: number,
): Promise<CalendarClaim[]> {
  const rows = await executor.query<ClaimRow>(claimStatement, [calendarIds, leaseSeconds]);
  return rows.map((row) => claimOf(executor, row));
}

const readStatement: Statement = {
  name: 'calendars-being-read',
  text: `SELECT calendar_id AS "calendarId" FROM channel_calendars
    WHERE calendar_id = ANY ($1::uuid[]) AND reading_until > now()`,
};

/** Those of calendars that are being read. */
export async function readBeingRead(
  executor: Executor,
  calendarIds: readonly string[],
): Promise<string[]> {
  const rows = await executor.query<{ calendarId: string }>(readStatement, [calendarIds]);
  return rows.map(({ calendarId }) => calendarId);
}

const lateStatement: Statement = {
  name: 'write-late-calendars',
  text: `UPDATE channel_calendars SET late_at = now() WHERE calendar_id = ANY (ARRAY(
      SELECT calendar_id FROM channel_calendars WHERE calendar_id = ANY ($1::uuid[])
      ORDER BY calendar_id FOR NO KEY UPDATE SKIP LOCKED))`,
};

/** Writes that a booking has waited for these calendars in vain. */
export async function writeLate(executor: Executor, calendarIds: readonly string[]): Promise<void> {
  await executor.query(lateStatement, [calendarIds]);
}

const contestedStatement: Statement = {
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
};

/** Whether another channel, or another system, has sold nights that a stay or booking has. */
export async function areContested(executor: Executor, occupancyId: string): Promise<boolean> {
  const [row] = await executor.query<{ contested: boolean }>(contestedStatement, [occupancyId]);
  return row!.contested;
}
