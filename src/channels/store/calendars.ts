import { randomUUIDv7 } from 'node:crypto';
import type { EpochMs } from '../../contract/time.ts';
import { columnsOf } from '../../platform/postgres/columns.ts';
import type { Executor, Statement } from '../../platform/postgres/database.ts';
import { hasRow, oneRow, theRow } from '../../platform/postgres/statement-functions.ts';
import type { SealedColumn } from '../../platform/postgres/sealed-columns.ts';
import { hostOfUrl } from '../rules/host.ts';
import { nilUuid } from '../../platform/uuid.ts';
import { openUrl, type SealedRow } from './sealed-url.ts';

/** Where a calendar comes from: a URL that is polled, or an imported file. */
export type CalendarSource = { url: string } | { fileName: string };

const insertStatement: Statement = {
  name: 'insert-channel-calendar',
  text: `INSERT INTO channel_calendars
      (calendar_id, listing_id, url_sealed, file_name, source_digest, host, due_at)
    SELECT $1::uuid, $2::uuid, $3::bytea, $4::text, $5::bytea, $6::text, CASE WHEN $4::text IS NULL THEN now() END
    WHERE NOT EXISTS (
      SELECT FROM channel_calendars WHERE listing_id = $2 AND source_digest = ANY ($7::bytea[]))
    ON CONFLICT (listing_id, source_digest) DO NOTHING RETURNING calendar_id AS "calendarId"`,
};

const findStatement: Statement = {
  name: 'find-channel-calendar',
  text: `SELECT calendar_id AS "calendarId" FROM channel_calendars
    WHERE listing_id = $1 AND source_digest = ANY ($2::bytea[])`,
};

/** Keyed digests of a source, by which a home has it once: by each master key, the first for everything new. */
export const digestsOf = ({ vault }: Executor, source: CalendarSource): readonly Buffer[] =>
  vault.macs('calendar', JSON.stringify(source));

/** Adds a calendar to a home, due now if it has a URL. If the home already has this source, returns its calendar. */
export async function insertCalendar(
  executor: Executor,
  listingId: string,
  source: CalendarSource,
): Promise<{ calendarId: string; added: boolean }> {
  const { vault } = executor;
  const calendarId = randomUUIDv7();
  const sealed = 'url' in source ? vault.seal('calendar', source.url, calendarId) : null;
  const digests = digestsOf(executor, source);
  const [inserted] = await executor.query<{ calendarId: string }>(insertStatement, [
    calendarId,
    listingId,
    sealed,
    'fileName' in source ? source.fileName : null,
    digests[0],
    'url' in source ? hostOfUrl(source.url) : null,
    digests.slice(1),
  ]);
  if (inserted) return { ...inserted, added: true };
  const [found] = await executor.query<{ calendarId: string }>(findStatement, [listingId, digests]);
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

/** The home of a calendar, and the file that it is; null: it has a URL. */
interface CalendarHome {
  listingId: string;
  slug: string;
  fileName: string | null;
}

/** Finds the home of a calendar. Undefined: there is no such calendar. */
export const findCalendarHome = oneRow<[calendarId: string], CalendarHome>({
  name: 'find-calendar-home',
  text: `SELECT c.listing_id AS "listingId", l.slug, c.file_name AS "fileName"
    FROM channel_calendars c JOIN listings l ON l.listing_id = c.listing_id
    WHERE c.calendar_id = $1`,
});

/** Reads the time zone of a home, and the time. */
export const readHomeTime = theRow<[listingId: string], { timeZone: string | null; now: EpochMs }>({
  name: 'read-home-time',
  text: 'SELECT time_zone AS "timeZone", now() AS now FROM listings WHERE listing_id = $1',
});

/** Deletes a calendar with its conflicts; it must not block anything any more. False: there is none. */
export const deleteCalendar = hasRow<[calendarId: string]>({
  name: 'delete-channel-calendar',
  text: 'DELETE FROM channel_calendars WHERE calendar_id = $1 RETURNING calendar_id',
});

/** Remembers that the nights of a shrunk calendar stay taken. False: it is not shrunk. */
export const keepCalendar = hasRow<[calendarId: string]>({
  name: 'keep-shrunk-calendar',
  text: `UPDATE channel_calendars SET kept_at = coalesce(kept_at, now())
    WHERE calendar_id = $1 AND shrunk_since IS NOT NULL RETURNING calendar_id`,
});

/** The addresses of calendars, and what they say of guests. */
export const sealedCalendars: readonly SealedColumn[] = [
  {
    table: 'channel_calendars',
    column: 'url_sealed',
    purpose: 'calendar',
    key: { calendar_id: 'uuid' },
    context: ([calendarId]) => calendarId!,
  },
  {
    table: 'channel_events',
    column: 'summary_sealed',
    purpose: 'calendar',
    key: { calendar_id: 'uuid', nights: 'daterange', event_uid: 'text' },
    context: ([calendarId]) => calendarId!,
  },
];

const sourcesStatement: Statement = {
  name: 'list-calendar-sources',
  text: `SELECT calendar_id AS "calendarId", url_sealed, file_name AS "fileName", source_digest AS digest
    FROM channel_calendars WHERE calendar_id > $1 ORDER BY calendar_id LIMIT $2`,
};

const digestsStatement: Statement = {
  name: 'write-calendar-digests',
  // Where a home has a source twice, the second keeps its digest.
  text: `UPDATE channel_calendars c SET source_digest = made.digest
    FROM unnest($1::uuid[], $2::bytea[]) AS made (calendar_id, digest)
    WHERE c.calendar_id = made.calendar_id AND NOT EXISTS (
      SELECT FROM channel_calendars o WHERE o.listing_id = c.listing_id AND o.source_digest = made.digest)`,
};

type SourceRow = SealedRow & { fileName: string | null; digest: Buffer };

/** The digests of sources that the first master key has not made. */
function outdatedSources(executor: Executor, rows: readonly SourceRow[]) {
  return rows.flatMap((row) => {
    const url = openUrl(executor, row);
    const source = row.fileName === null ? url !== null && { url } : { fileName: row.fileName };
    const digest = source && digestsOf(executor, source)[0]!;
    return digest && !digest.equals(row.digest) ? [{ calendarId: row.calendarId, digest }] : [];
  });
}

const sourcesAtOnce = 500;

/** Makes the digests of sources with the first master key, in batches. Returns how many it has changed. */
export async function digestSourcesAgain(executor: Executor): Promise<number> {
  let changed = 0;
  let after = nilUuid;
  for (;;) {
    const rows = await executor.query<SourceRow>(sourcesStatement, [after, sourcesAtOnce]);
    const made = outdatedSources(executor, rows);
    await executor.query(digestsStatement, columnsOf(made, 'calendarId', 'digest'));
    changed += made.length;
    if (rows.length < sourcesAtOnce) return changed;
    after = rows.at(-1)!.calendarId;
  }
}
