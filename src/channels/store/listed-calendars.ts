/** Calendars as staff see them. */
import type { EpochMs } from '../../contract/time.ts';
import type { Executor, Statement } from '../../platform/postgres/database.ts';
import { oneRow } from '../../platform/postgres/statement-functions.ts';
import { nilUuid } from '../../platform/uuid.ts';
import type { ReadOptions } from '../icalendar/read-calendar.ts';
import type { Problem, ProblemName, ReadProblem } from '../rules/problems.ts';
import { isOpenConflict } from './conflicts.ts';
import { openUrl, type SealedRow } from './sealed-url.ts';

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
  text: list('WHERE c.calendar_id > $2 ORDER BY c.calendar_id'),
};

const listOfHomeStatement: Statement = {
  name: 'list-channel-calendars-of-home',
  // Not by ID, so that no plan reads the calendars of all homes in that order.
  text: list('WHERE c.listing_id = $2 ORDER BY c.created_at, c.calendar_id'),
};

// Of each, events, nights and conflicts are counted: 10,000 calendars take longer than a statement may.
const listedAtOnce = 500;

async function listAll(executor: Executor, atMost: number, atOnce: number): Promise<ListedRow[]> {
  const all: ListedRow[] = [];
  let after = nilUuid;
  while (all.length < atMost) {
    const size = Math.min(atOnce, atMost - all.length);
    const slice = await executor.query<ListedRow>(listStatement, [size, after]);
    all.push(...slice);
    if (slice.length < size) break;
    after = slice.at(-1)!.calendarId;
  }
  return all;
}

/** Lists calendars, oldest first, `atOnce` in a statement. `listingId` null: of all homes. */
export async function listCalendars(
  executor: Executor,
  listingId: string | null,
  atMost: number,
  atOnce = listedAtOnce,
): Promise<ListedCalendar[]> {
  const rows = await (listingId === null
    ? listAll(executor, atMost, atOnce)
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

/** Finds a calendar as staff see it. Undefined: there is none. */
export const findListedCalendar = oneRow<[calendarId: string], ListedRow, ListedCalendar>({
  name: 'find-listed-channel-calendar',
  text: list('WHERE c.calendar_id = $2'),
  values: (calendarId) => [1, calendarId],
  result: (row, executor) => listedOf(executor, row),
});
