import { randomUUIDv7 } from 'node:crypto';
import type { EpochMs } from '../../contract/time.ts';
import type { Database, Executor, Statement } from '../../platform/postgres/database.ts';
import type { Validators } from '../../platform/sending/download.ts';
import { hostOfUrl } from '../rules/host.ts';
import type { ReadOptions } from '../icalendar/read-calendar.ts';
import type { CalendarState, ReadKind } from '../rules/events.ts';
import type { Problem, ProblemName, ReadProblem } from '../rules/problems.ts';
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

const digestOf = ({ vault }: Executor, source: CalendarSource): Buffer =>
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
  /** Whether what the content means can change without the content. */
  isUnsettled: boolean;
  /** How the channel means what it writes. */
  options: ReadOptions;
  /** The `User-Agent` of the request; null: the usual one. */
  userAgent: string | null;
  /** Attempts that failed since the last success. */
  failures: number;
  /** The next read is due at this time at the latest, whatever the result. Null: the result decides. */
  nextBy: EpochMs | null;
  now: EpochMs;
}

/** A row of a claim. */
export type ClaimRow = Omit<CalendarClaim, 'url' | 'validators' | 'options'> &
  ReadOptions & {
    url_sealed: Buffer | null;
    etag: string | null;
    last_modified: string | null;
    /** Whether the content matters even if it has not changed. */
    whole: boolean;
  };

/** A statement that claims calendars for `$2` seconds. `nextBy`: when the next read is due at the latest. */
// The content is needed at least once a day, because the horizon moves, and after a change of the home's time zone,
// because events with times may have other nights. Without it, conflicts may have ended or be copies by now, and what
// is missing may be over.
export const claim = (rows: string, nextBy: string): string => `WITH claimed AS (
      UPDATE channel_calendars c SET fence = c.fence + 1, reading_until = now() + make_interval(secs => $2),
        due_at = CASE WHEN c.due_at < now() + make_interval(secs => $2) THEN now() + make_interval(secs => $2)
          ELSE c.due_at END
      WHERE c.calendar_id = ANY (ARRAY(${rows})) RETURNING c.*, ${nextBy} AS next_by
    )
    SELECT c.next_by AS "nextBy", c.user_agent AS "userAgent", c.host, c.calendar_id AS "calendarId", c.listing_id AS "listingId", l.slug,
      l.time_zone AS "timeZone", c.fence, c.url_sealed, c.etag, c.last_modified, c.failures,
      coalesce(c.read_at < now() - interval '1 day', true)
        OR c.read_time_zone IS DISTINCT FROM l.time_zone AS whole, EXISTS (
        SELECT FROM channel_conflicts k WHERE k.calendar_id = c.calendar_id OFFSET 0) OR EXISTS (
        SELECT FROM channel_events e WHERE e.calendar_id = c.calendar_id AND e.state = 'missing' OFFSET 0)
        AS "isUnsettled",
      c.ignored_summaries AS ignore, c.event_end AS "end", c.free_events AS free, now() AS now
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
  const {
    url_sealed: _,
    etag,
    last_modified: lastModified,
    whole,
    ignore,
    end,
    free,
    ...rest
  } = row;
  const known = { etag, lastModified };
  const validators = whole ? { etag: null, lastModified: null } : known;
  return { ...rest, url: openUrl(executor, row), validators, options: { ignore, end, free } };
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
      problems = coalesce($7::json, problems),
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
  /** What is wrong in the content. Absent: no other content was read. */
  problems?: readonly ReadProblem[];
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
  { problem, problems, nextInSeconds }: CalendarResult,
): Promise<void> {
  await executor.query(resultStatement, [
    calendarId,
    fence,
    problem?.problem ?? null,
    problem?.detail ?? null,
    nextInSeconds,
    nextBy === null ? null : new Date(nextBy),
    problems ? JSON.stringify(problems) : null,
  ]);
}

const stateStatement: Statement = {
  name: 'read-calendar-state',
  text: `SELECT exported_at AS "exportedAt", fetched_at AS "fetchedAt", shrunk_since AS "shrunkSince",
      kept_at IS NOT NULL AS "isKept", options_changed AS "hasNewOptions", seen_at AS "seenAt", now() AS now
    FROM channel_calendars WHERE calendar_id = $1`,
};

/** What is known about a calendar before a read, and the time. */
export interface StoredState extends Omit<CalendarState, 'ownDomain'> {
  /** The last read that was understood. */
  seenAt: EpochMs | null;
  now: EpochMs;
}

/** Reads what is known about a calendar. */
export async function readCalendarState(
  executor: Executor,
  calendarId: string,
): Promise<StoredState> {
  const [state] = await executor.query<StoredState>(stateStatement, [calendarId]);
  return state!;
}

const unchangedStatement: Statement = {
  name: 'write-unchanged-calendar',
  text: `UPDATE channel_calendars SET whole_at = now(), seen_at = now()
    WHERE calendar_id = $1 AND fence = $2`,
};

/** Writes that a calendar has not changed, and that nothing else changes what it means. */
export async function writeUnchanged(
  database: Database,
  claimed: Claimed,
  nextInSeconds: number,
): Promise<void> {
  await database.transaction(async (executor) => {
    await executor.query(unchangedStatement, [claimed.calendarId, claimed.fence]);
    await writeCalendarResult(executor, claimed, { problem: null, nextInSeconds });
  });
}

const verdictStatement: Statement = {
  name: 'write-calendar-verdict',
  text: `UPDATE channel_calendars SET shrunk_since = $2,
      kept_at = CASE WHEN $2::timestamptz IS NOT NULL THEN kept_at END,
      seen_at = CASE WHEN $3 <> 'accepted' THEN now() ELSE seen_at END,
      whole_at = CASE WHEN $3 IN ('whole', 'unchanged') THEN now() ELSE whole_at END,
      options_changed = options_changed AND $3 <> 'whole'
    WHERE calendar_id = $1`,
};

/** Writes what a read that was understood means for its calendar. */
export async function writeVerdict(
  executor: Executor,
  calendarId: string,
  kind: ReadKind,
  shrunkSince: EpochMs | null,
): Promise<void> {
  const since = shrunkSince === null ? null : new Date(shrunkSince);
  await executor.query(verdictStatement, [calendarId, since, kind]);
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

const optionsStatement: Statement = {
  name: 'read-calendar-options',
  text: `SELECT ignored_summaries AS ignore, event_end AS "end", free_events AS free
    FROM channel_calendars WHERE listing_id = $1 AND source_digest = $2`,
};

/** How a calendar means what it writes: until staff say so, as RFC 5545 says. */
const usualOptions: ReadOptions = { ignore: [], end: 'checkout', free: 'ignore' };

/** Reads the options of a calendar, which may not exist yet. */
export async function readOptions(
  executor: Executor,
  listingId: string,
  source: CalendarSource,
): Promise<ReadOptions> {
  const [options] = await executor.query<ReadOptions>(optionsStatement, [
    listingId,
    digestOf(executor, source),
  ]);
  return options ?? usualOptions;
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
  /** What is wrong with the content that was read last. */
  problems: readonly ReadProblem[];
  /** The last read in which nothing can have been lost. */
  wholeAt: EpochMs | null;
  /** The last read that was understood. */
  seenAt: EpochMs | null;
  /** Since when too many events are missing. Null: they are not. */
  shrunkSince: EpochMs | null;
  /** When a person has said that the nights stay taken all the same. */
  keptAt: EpochMs | null;
  options: ReadOptions;
  userAgent: string | null;
  /** The system whose outside stays the events are. */
  source: string | null;
  /** When the channel has read our calendar last. Null: not known. */
  fetchedAt: EpochMs | null;
  /** Blocks that are not over, and nights not over that could not be blocked. */
  blocks: number;
  conflicts: number;
  /** Events that it does not show any more, and whose nights stay blocked. */
  missing: number;
}

type ListedRow = Omit<ListedCalendar, 'url' | 'problem' | 'options'> &
  SealedRow &
  ReadOptions & { problem: ProblemName | null; detail: string | null };

const list = (rows: string): string => `SELECT c.calendar_id AS "calendarId",
      c.listing_id AS "listingId", l.slug, l.name, c.url_sealed, c.file_name AS "fileName",
      c.created_at AS "createdAt", c.refreshed_at AS "refreshedAt", c.checked_at AS "checkedAt",
      c.due_at AS "nextAt", c.failures, c.failing_since AS "failingSince", c.problem,
      c.problem_detail AS detail, c.problems, c.whole_at AS "wholeAt", c.seen_at AS "seenAt", c.shrunk_since AS "shrunkSince",
      c.kept_at AS "keptAt", c.ignored_summaries AS ignore, c.event_end AS "end", c.free_events AS free,
      c.user_agent AS "userAgent", c.outside_source AS source, c.fetched_at AS "fetchedAt",
      (SELECT count(*)::integer FROM occupancies o WHERE o.calendar_id = c.calendar_id
        AND upper(o.nights) > current_date) AS blocks,
      (SELECT count(*)::integer FROM channel_events e
        WHERE e.calendar_id = c.calendar_id AND e.state = 'missing') AS missing,
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
  return rows.map((row) => listedOf(executor, row));
}

function listedOf(executor: Executor, row: ListedRow): ListedCalendar {
  const { url_sealed: _, problem, detail, ignore, end, free, ...rest } = row;
  return {
    ...rest,
    url: openUrl(executor, row),
    problem: problem && { problem, detail },
    options: { ignore, end, free },
  };
}

const findListedStatement: Statement = {
  name: 'find-listed-channel-calendar',
  text: list('WHERE c.calendar_id = $2'),
};

/** Finds a calendar as staff see it. Undefined: there is none. */
export async function findListedCalendar(
  executor: Executor,
  calendarId: string,
): Promise<ListedCalendar | undefined> {
  const [row] = await executor.query<ListedRow>(findListedStatement, [1, calendarId]);
  return row && listedOf(executor, row);
}

/** How a channel means its calendar, and how it is asked for. */
export interface CalendarOptionsRow extends ReadOptions {
  userAgent: string | null;
  source: string | null;
}

const setOptionsStatement: Statement = {
  name: 'set-calendar-options',
  // A read in progress is of the former options, so it must not count.
  text: `UPDATE channel_calendars SET ignored_summaries = $2, event_end = $3, free_events = $4, user_agent = $5,
      outside_source = $6, fence = fence + 1, due_at = CASE WHEN due_at IS NOT NULL THEN now() END,
      etag = NULL, last_modified = NULL, options_changed = options_changed
        OR (ignored_summaries, event_end, free_events) IS DISTINCT FROM ($2::text[], $3::text, $4::text)
    WHERE calendar_id = $1`,
};

/** Changes how a calendar is read. It is read again now. */
export async function writeOptions(
  executor: Executor,
  calendarId: string,
  { ignore, end, free, userAgent, source }: CalendarOptionsRow,
): Promise<void> {
  await executor.query(setOptionsStatement, [calendarId, ignore, end, free, userAgent, source]);
}

const keepStatement: Statement = {
  name: 'keep-shrunk-calendar',
  text: `UPDATE channel_calendars SET kept_at = coalesce(kept_at, now())
    WHERE calendar_id = $1 AND shrunk_since IS NOT NULL RETURNING calendar_id`,
};

/** Remembers that the nights of a shrunk calendar stay taken. False: it is not shrunk. */
export const keepCalendar = async (executor: Executor, calendarId: string): Promise<boolean> =>
  (await executor.query(keepStatement, [calendarId])).length > 0;

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
