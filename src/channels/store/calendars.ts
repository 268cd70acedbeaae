import { randomUUIDv7 } from 'node:crypto';
import type { EpochMs } from '../../contract/time.ts';
import type { Executor, Statement } from '../../platform/postgres/database.ts';
import { hostOfUrl } from '../rules/host.ts';

/** Where a calendar comes from: a URL that is polled, or an imported file. */
export type CalendarSource = { url: string } | { fileName: string };

const insertStatement: Statement = {
  name: 'insert-channel-calendar',
  text: `INSERT INTO channel_calendars
      (calendar_id, listing_id, url_sealed, file_name, source_digest, host, due_at)
    VALUES ($1, $2, $3, $4, $5, $6, CASE WHEN $4::text IS NULL THEN now() END)
    ON CONFLICT (listing_id, source_digest) DO NOTHING RETURNING calendar_id AS "calendarId"`,
};

const findStatement: Statement = {
  name: 'find-channel-calendar',
  text: `SELECT calendar_id AS "calendarId" FROM channel_calendars
    WHERE listing_id = $1 AND source_digest = $2`,
};

/** A keyed digest of a source, by which a home has it once. */
export const digestOf = ({ vault }: Executor, source: CalendarSource): Buffer =>
  vault.mac('calendar', JSON.stringify(source));

/** Adds a calendar to a home, due now if it has a URL. If the home already has this source, returns its calendar. */
export async function insertCalendar(
  executor: Executor,
  listingId: string,
  source: CalendarSource,
): Promise<{ calendarId: string; added: boolean }> {
  const { vault } = executor;
  const calendarId = randomUUIDv7();
  const sealed = 'url' in source ? vault.seal('calendar', source.url, calendarId) : null;
  const digest = digestOf(executor, source);
  const [inserted] = await executor.query<{ calendarId: string }>(insertStatement, [
    calendarId,
    listingId,
    sealed,
    'fileName' in source ? source.fileName : null,
    digest,
    'url' in source ? hostOfUrl(source.url) : null,
  ]);
  if (inserted) return { ...inserted, added: true };
  const [found] = await executor.query<{ calendarId: string }>(findStatement, [listingId, digest]);
  // It was removed in the same moment.
  return found ? { ...found, added: false } : insertCalendar(executor, listingId, source);
}

const lockTimeoutStatement: Statement = {
  name: 'wait-briefly-for-locks',
  text: `SELECT set_config('lock_timeout', '500ms', true)`,
};

const lockStatement: Statement = {
  name: 'lock-channel-calendars',
  text: `SELECT calendar_id AS "calendarId", fence FROM channel_calendars
    WHERE listing_id = $1 ORDER BY calendar_id FOR UPDATE`,
};

/**
 * Locks the calendars of a home until the end of the transaction, so that their changes follow each other.
 *
 * The transaction then waits for a lock at most half a second, less than PostgreSQL's deadlock timeout. So in a
 * deadlock this transaction fails, and never a booking, an import or a change by staff.
 */
export async function lockCalendars(
  executor: Executor,
  listingId: string,
): Promise<{ calendarId: string; fence: number }[]> {
  await executor.query(lockTimeoutStatement);
  return executor.query(lockStatement, [listingId]);
}

const homeStatement: Statement = {
  name: 'find-calendar-home',
  text: `SELECT c.listing_id AS "listingId", l.slug, c.file_name AS "fileName"
    FROM channel_calendars c JOIN listings l ON l.listing_id = c.listing_id
    WHERE c.calendar_id = $1`,
};

/** The home of a calendar, and the file that it is; null: it has a URL. */
interface CalendarHome {
  listingId: string;
  slug: string;
  fileName: string | null;
}

/** Finds the home of a calendar. Undefined: there is no such calendar. */
export async function findCalendarHome(
  executor: Executor,
  calendarId: string,
): Promise<CalendarHome | undefined> {
  const [home] = await executor.query<CalendarHome>(homeStatement, [calendarId]);
  return home;
}

const timeStatement: Statement = {
  name: 'read-home-time',
  text: 'SELECT time_zone AS "timeZone", now() AS now FROM listings WHERE listing_id = $1',
};

/** Reads the time zone of a home, and the time. */
export async function readHomeTime(
  executor: Executor,
  listingId: string,
): Promise<{ timeZone: string | null; now: EpochMs }> {
  const [time] = await executor.query<{ timeZone: string | null; now: EpochMs }>(timeStatement, [
    listingId,
  ]);
  return time!;
}

const deleteStatement: Statement = {
  name: 'delete-channel-calendar',
  text: 'DELETE FROM channel_calendars WHERE calendar_id = $1 RETURNING calendar_id',
};

/** Deletes a calendar with its conflicts; it must not block anything any more. False: there is none. */
export const deleteCalendar = async (executor: Executor, calendarId: string): Promise<boolean> =>
  (await executor.query(deleteStatement, [calendarId])).length > 0;

const keepStatement: Statement = {
  name: 'keep-shrunk-calendar',
  text: `UPDATE channel_calendars SET kept_at = coalesce(kept_at, now())
    WHERE calendar_id = $1 AND shrunk_since IS NOT NULL RETURNING calendar_id`,
};

/** Remembers that the nights of a shrunk calendar stay taken. False: it is not shrunk. */
export const keepCalendar = async (executor: Executor, calendarId: string): Promise<boolean> =>
  (await executor.query(keepStatement, [calendarId])).length > 0;
