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
