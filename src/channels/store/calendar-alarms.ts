import type { Executor, Statement } from '../../platform/postgres/database.ts';
import { isOpenConflict } from './conflicts.ts';

/** What staff must know about the calendars of all homes, by number. Spec: CHANNEL-14. */
export interface CalendarAlarms {
  /** Cannot be read as a whole. */
  failing: number;
  /** At least half of their events are missing, and nobody has said what is right. */
  shrunk: number;
  /** Had no whole read for longer than three of their intervals. */
  unread: number;
  /** Nights that another channel has sold as well. */
  conflicts: number;
}

const countStatement: Statement = {
  name: 'count-calendar-alarms',
  text: `SELECT count(*) FILTER (WHERE problem IS NOT NULL)::integer AS failing,
      count(*) FILTER (WHERE problem IS NULL AND shrunk_since IS NOT NULL AND kept_at IS NULL)::integer AS shrunk,
      count(*) FILTER (WHERE url_sealed IS NOT NULL
        AND coalesce(refreshed_at, created_at) < now() - 3 * make_interval(secs => $1))::integer AS unread,
      (SELECT count(*)::integer FROM channel_conflicts k WHERE ${isOpenConflict}) AS conflicts
    FROM channel_calendars`,
};

/**
 * Counts what staff must know about calendars.
 *
 * @param everySeconds the usual time between two reads
 */
export async function countCalendarAlarms(
  executor: Executor,
  everySeconds: number,
): Promise<CalendarAlarms> {
  const [row] = await executor.query<CalendarAlarms>(countStatement, [everySeconds]);
  return row!;
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
