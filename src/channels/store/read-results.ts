/** What a read means for its calendar. */
import type { EpochMs } from '../../contract/time.ts';
import type { Database, Statement } from '../../platform/postgres/database.ts';
import { noRows, theRow } from '../../platform/postgres/statement-functions.ts';
import type { Validators } from '../../platform/sending/download.ts';
import type { CalendarState, ReadKind } from '../rules/events.ts';
import type { Problem, ReadProblem } from '../rules/problems.ts';
import type { CalendarClaim } from './claims.ts';

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
export const writeCalendarResult = noRows<[claimed: Claimed, calendarResult: CalendarResult]>({
  name: 'write-calendar-result',
  text: `UPDATE channel_calendars SET checked_at = now(), reading_until = NULL, problem = $3, problem_detail = $4,
      problems = coalesce($7::json, problems),
      due_at = CASE WHEN due_at IS NOT NULL THEN least(now() + make_interval(secs => $5), $6) END,
      refreshed_at = CASE WHEN $3::text IS NULL THEN now() ELSE refreshed_at END,
      failures = CASE WHEN $3::text IS NULL THEN 0 WHEN $6::timestamptz IS NULL THEN failures + 1
        ELSE greatest(failures, 1) END,
      failing_since = CASE WHEN $3::text IS NOT NULL THEN coalesce(failing_since, now()) END
    WHERE calendar_id = $1 AND fence = $2`,
  values: ({ calendarId, fence, nextBy }, { problem, problems, nextInSeconds }) => [
    calendarId,
    fence,
    problem?.problem ?? null,
    problem?.detail ?? null,
    nextInSeconds,
    nextBy === null ? null : new Date(nextBy),
    problems ? JSON.stringify(problems) : null,
  ],
});

/** What is known about a calendar before a read, and the time. */
export interface StoredState extends Omit<CalendarState, 'ownDomains'> {
  /** The last read that was understood. */
  seenAt: EpochMs | null;
  now: EpochMs;
}

/** Reads what is known about a calendar. */
export const readCalendarState = theRow<[calendarId: string], StoredState>({
  name: 'read-calendar-state',
  text: `SELECT exported_at AS "exportedAt", fetched_at AS "fetchedAt", shrunk_since AS "shrunkSince",
      kept_at IS NOT NULL AS "isKept", options_changed AS "hasNewOptions", seen_at AS "seenAt", now() AS now
    FROM channel_calendars WHERE calendar_id = $1`,
});

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

/** Writes what a read that was understood means for its calendar. */
export const writeVerdict = noRows<
  [calendarId: string, kind: ReadKind, shrunkSince: EpochMs | null]
>({
  name: 'write-calendar-verdict',
  text: `UPDATE channel_calendars SET shrunk_since = $2,
      kept_at = CASE WHEN $2::timestamptz IS NOT NULL THEN kept_at END,
      seen_at = CASE WHEN $3 <> 'accepted' THEN now() ELSE seen_at END,
      whole_at = CASE WHEN $3 IN ('whole', 'unchanged') THEN now() ELSE whole_at END,
      options_changed = options_changed AND $3 <> 'whole'
    WHERE calendar_id = $1`,
  values: (calendarId, kind, shrunkSince) => [
    calendarId,
    shrunkSince === null ? null : new Date(shrunkSince),
    kind,
  ],
});

/** Remembers which content was read, and with which time zone. Call it in the transaction that changes the nights. */
export const writeValidators = noRows<
  [calendarClaim: Pick<CalendarClaim, 'calendarId' | 'timeZone'>, validators: Validators]
>({
  name: 'write-calendar-validators',
  text: `UPDATE channel_calendars SET read_at = now(), read_time_zone = $2, etag = $3, last_modified = $4
    WHERE calendar_id = $1`,
  values: ({ calendarId, timeZone }, { etag, lastModified }) => [
    calendarId,
    timeZone,
    etag,
    lastModified,
  ],
});
