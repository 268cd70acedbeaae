import { randomUUIDv7 } from 'node:crypto';
import type { EpochMs } from '../../contract/time.ts';
import type { Executor, Statement } from '../../platform/postgres/database.ts';
import type { Validators } from '../../platform/sending/download.ts';
import { hostOfUrl } from '../rules/host.ts';
import type { Problem, ProblemName } from '../rules/problems.ts';
import { isOpenConflict } from './conflicts.ts';

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

/** Adds a calendar to a home, due now if it has a URL. If the home already has this source, returns its calendar. */
export async function insertCalendar(
  executor: Executor,
  listingId: string,
  source: CalendarSource,
): Promise<{ calendarId: string; added: boolean }> {
  const { vault } = executor;
  const calendarId = randomUUIDv7();
  const sealed = 'url' in source ? vault.seal('calendar', source.url, calendarId) : null;
  const digest = vault.mac('calendar', JSON.stringify(source));
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

/** A calendar that this process reads until the lease ends. */
export interface CalendarClaim {
  calendarId: string;
  listingId: string;
  slug: string;
  /** Of the URL. Null: it is a file. */
  host: string | null;
  /** Of the home. */
  timeZone: string | null;
  fence: number;
  /** Null: it is a file, or the URL cannot be decrypted. */
  url: string | null;
  /** Null members: the whole content is needed. */
  validators: Validators;
  /** The `User-Agent` of the request; null: the usual one. */
  userAgent: string | null;
  /** Attempts that failed since the last success. */
  failures: number;
  /** The next read is due at this time at the latest, whatever the result. Null: the result decides. */
  nextBy: EpochMs | null;
  now: EpochMs;
}

/** A row of a claim. */
export type ClaimRow = Omit<CalendarClaim, 'url' | 'validators'> & {
  url_sealed: Buffer | null;
  etag: string | null;
  last_modified: string | null;
  /** Whether the content matters even if it has not changed. */
  whole: boolean;
};

/**
 * A statement that claims calendars for `$2` seconds. `nextBy`: when the next read is due at the latest.
 */
// The content is needed at least once a day, because the horizon moves; after a change of the home's time zone,
// because events with times may have other nights; and while there are conflicts, because something else may have
// their nights by now.
export const claim = (rows: string, nextBy: string): string => `WITH claimed AS (
      UPDATE channel_calendars c SET fence = c.fence + 1, reading_until = now() + make_interval(secs => $2),
        due_at = CASE WHEN c.due_at < now() + make_interval(secs => $2) THEN now() + make_interval(secs => $2)
          ELSE c.due_at END
      WHERE c.calendar_id = ANY (ARRAY(${rows})) RETURNING c.*, ${nextBy} AS next_by
    )
    SELECT c.next_by AS "nextBy", c.user_agent AS "userAgent", c.host, c.calendar_id AS "calendarId", c.listing_id AS "listingId", l.slug,
      l.time_zone AS "timeZone", c.fence, c.url_sealed, c.etag, c.last_modified, c.failures,
      coalesce(c.read_at < now() - interval '1 day', true)
        OR c.read_time_zone IS DISTINCT FROM l.time_zone OR EXISTS (
        SELECT FROM channel_conflicts k WHERE k.calendar_id = c.calendar_id OFFSET 0) AS whole, now() AS now
    FROM claimed c JOIN listings l ON l.listing_id = c.listing_id`;

const claimDueStatement: Statement = {
  name: 'claim-channel-calendars',
  // Those that were read before go first: what hangs at a host does not delay what answers there.
  text: claim(
    `SELECT due.calendar_id FROM unnest($1::text[], $3::integer[]) AS chosen (host, slots)
      CROSS JOIN LATERAL (
        SELECT calendar_id FROM channel_calendars WHERE host = chosen.host AND due_at <= now()
        ORDER BY failures > 0 OR refreshed_at IS NULL, due_at LIMIT chosen.slots FOR UPDATE SKIP LOCKED
      ) due`,
    'NULL::timestamptz',
  ),
};

const claimOneStatement: Statement = {
  name: 'claim-channel-calendar',
  text: claim('SELECT $1::uuid', 'old.due_at'),
};

/** The URL of a calendar. Null: it is a file, or was sealed with another key. */
export function openUrl(
  executor: Executor,
  { url_sealed: sealed, calendarId }: SealedRow,
): string | null {
  try {
    return sealed && executor.vault.open('calendar', sealed, calendarId);
  } catch {
    return null;
  }
}

type SealedRow = Pick<ClaimRow, 'url_sealed' | 'calendarId'>;

/** The claim of a row. */
export function claimOf(executor: Executor, row: ClaimRow): CalendarClaim {
  const { url_sealed: _, etag, last_modified: lastModified, whole, ...rest } = row;
  const known = { etag, lastModified };
  const validators = whole ? { etag: null, lastModified: null } : known;
  return { ...rest, url: openUrl(executor, row), validators };
}

/**
 * Claims due calendars of hosts, at most so many of each; no other process gets them until the lease ends.
 *
 * @param chosen the number of calendars by host
 */
export async function claimDueCalendars(
  executor: Executor,
  chosen: ReadonlyMap<string, number>,
  leaseSeconds: number,
): Promise<CalendarClaim[]> {
  const hosts = [[...chosen.keys()], leaseSeconds, [...chosen.values()]];
  const rows = await executor.query<ClaimRow>(claimDueStatement, hosts);
  return rows.map((row) => claimOf(executor, row));
}

/**
 * Claims a calendar, also if another process has claimed it. Its next read by itself is not later for it. Undefined:
 * there is none.
 */
export async function claimCalendar(
  executor: Executor,
  calendarId: string,
  leaseSeconds: number,
): Promise<CalendarClaim | undefined> {
  const [row] = await executor.query<ClaimRow>(claimOneStatement, [calendarId, leaseSeconds]);
  return row && claimOf(executor, row);
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

const resultStatement: Statement = {
  name: 'write-calendar-result',
  text: `UPDATE channel_calendars SET checked_at = now(), reading_until = NULL, problem = $3, problem_detail = $4,
      due_at = CASE WHEN due_at IS NOT NULL THEN least(now() + make_interval(secs => $5), $6) END,
      refreshed_at = CASE WHEN $3::text IS NULL THEN now() ELSE refreshed_at END,
      failures = CASE WHEN $3::text IS NULL THEN 0 WHEN $6::timestamptz IS NULL THEN failures + 1
        ELSE greatest(failures, 1) END,
      failing_since = CASE WHEN $3::text IS NOT NULL THEN coalesce(failing_since, now()) END
    WHERE calendar_id = $1 AND fence = $2`,
};

/** The end of an attempt. */
export interface CalendarResult {
  /** Null: it succeeded. */
  problem: Problem | null;
  /** The delay until the next attempt. */
  nextInSeconds: number;
}

type Claimed = Pick<CalendarClaim, 'calendarId' | 'fence' | 'nextBy'>;

/**
 * Writes the result of an attempt, unless another process has claimed the calendar since. Failures of reads that
 * were asked for do not add up: they would put off the reads after the next one.
 */
export async function writeCalendarResult(
  executor: Executor,
  { calendarId, fence, nextBy }: Claimed,
  { problem, nextInSeconds }: CalendarResult,
): Promise<void> {
  await executor.query(resultStatement, [
    calendarId,
    fence,
    problem?.problem ?? null,
    problem?.detail ?? null,
    nextInSeconds,
    nextBy === null ? null : new Date(nextBy),
  ]);
}

const readStatement: Statement = {
  name: 'write-calendar-validators',
  text: `UPDATE channel_calendars SET read_at = now(), read_time_zone = $2, etag = $3, last_modified = $4
    WHERE calendar_id = $1`,
};

/** Remembers which content was read, and with which time zone. Call it in the transaction that changes the nights. */
export async function writeValidators(
  executor: Executor,
  { calendarId, timeZone }: Pick<CalendarClaim, 'calendarId' | 'timeZone'>,
  { etag, lastModified }: Validators,
): Promise<void> {
  await executor.query(readStatement, [calendarId, timeZone, etag, lastModified]);
}

const homeStatement: Statement = {
  name: 'find-calendar-home',
  text: `SELECT c.listing_id AS "listingId", l.slug, c.file_name AS "fileName"
    FROM channel_calendars c JOIN listings l ON l.listing_id = c.listing_id
    WHERE c.calendar_id = $1`,
};

type CalendarHome = Pick<ListedCalendar, 'listingId' | 'slug' | 'fileName'>;

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

/** A calendar, as staff see it. */
export interface ListedCalendar {
  calendarId: string;
  listingId: string;
  slug: string;
  name: string;
  /** Null: a file, or a URL that cannot be decrypted. */
  url: string | null;
  fileName: string | null;
  createdAt: EpochMs;
  /** The last success; null: none yet. */
  refreshedAt: EpochMs | null;
  /** The last attempt, and the next one; null: none. */
  checkedAt: EpochMs | null;
  nextAt: EpochMs | null;
  failures: number;
  failingSince: EpochMs | null;
  problem: Problem | null;
  /** Blocks that are not over, and nights not over that could not be blocked. */
  blocks: number;
  conflicts: number;
}

type ListedRow = Omit<ListedCalendar, 'url' | 'problem'> &
  SealedRow & { problem: ProblemName | null; detail: string | null };

const list = (rows: string): string => `SELECT c.calendar_id AS "calendarId",
      c.listing_id AS "listingId", l.slug, l.name, c.url_sealed, c.file_name AS "fileName",
      c.created_at AS "createdAt", c.refreshed_at AS "refreshedAt", c.checked_at AS "checkedAt",
      c.due_at AS "nextAt", c.failures, c.failing_since AS "failingSince", c.problem,
      c.problem_detail AS detail,
      (SELECT count(*)::integer FROM occupancies o WHERE o.calendar_id = c.calendar_id
        AND upper(o.nights) > current_date) AS blocks,
      (SELECT count(*)::integer FROM channel_conflicts k
        WHERE k.calendar_id = c.calendar_id AND ${isOpenConflict}) AS conflicts
    FROM channel_calendars c JOIN listings l ON l.listing_id = c.listing_id
    ${rows} LIMIT $1`;

const listStatement: Statement = {
  name: 'list-channel-calendars',
  text: list('ORDER BY c.calendar_id'),
};

const listOfHomeStatement: Statement = {
  name: 'list-channel-calendars-of-home',
  // Not by ID, so that no plan reads the calendars of all homes in that order.
  text: list('WHERE c.listing_id = $2 ORDER BY c.created_at, c.calendar_id'),
};

/** Lists calendars, oldest first. `listingId` null: of all homes. */
export async function listCalendars(
  executor: Executor,
  listingId: string | null,
  atMost: number,
): Promise<ListedCalendar[]> {
  const rows = await (listingId === null
    ? executor.query<ListedRow>(listStatement, [atMost])
    : executor.query<ListedRow>(listOfHomeStatement, [atMost, listingId]));
  return rows.map((row) => {
    const { url_sealed: _, problem, detail, ...rest } = row;
    return {
      ...rest,
      url: openUrl(executor, row),
      problem: problem && { problem, detail },
    };
  });
}

const overdueStatement: Statement = {
  name: 'overdue-channel-calendars',
  text: `SELECT greatest(0, coalesce(extract(epoch FROM now() - min(due_at)), 0))::float8 AS seconds
    FROM channel_calendars WHERE due_at IS NOT NULL`,
};

/** How many seconds the most overdue calendar has waited to be read. 0: none is due. */
export async function readOverdueCalendars(executor: Executor): Promise<number> {
  const [overdue] = await executor.query<{ seconds: number }>(overdueStatement);
  return overdue!.seconds;
}

const failingStatement: Statement = {
  name: 'count-failing-calendars',
  text: `SELECT count(*)::integer AS count
    FROM (SELECT FROM channel_calendars WHERE problem IS NOT NULL LIMIT $1) found`,
};

/** Counts the calendars that cannot be read, up to `atMost`. */
export async function countFailingCalendars(executor: Executor, atMost: number): Promise<number> {
  const [row] = await executor.query<{ count: number }>(failingStatement, [atMost]);
  return row!.count;
}
