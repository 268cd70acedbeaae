import { theRow, theValue } from '../../platform/postgres/statement-functions.ts';
import { isOpenConflict, openOutsideStays } from './conflicts.ts';

/** What staff must know about the calendars of all homes, by number. Spec: CHANNEL-14. */
export interface CalendarAlarms {
  /** Cannot be read as a whole. */
  failing: number;
  /** At least half of their events are missing, and nobody has said what is right. */
  shrunk: number;
  /** Had no whole read for longer than three of their intervals. */
  unread: number;
  /** Nights that another channel or system has sold as well. */
  conflicts: number;
}

const countedAtMost = 10_000;

/**
 * Counts what staff must know about calendars, each up to `atMost`.
 *
 * @param everySeconds the usual time between two reads
 */
export const countCalendarAlarms = theRow<[everySeconds: number, atMost?: number], CalendarAlarms>({
  name: 'count-calendar-alarms',
  // Each by an index of its own: nearly all calendars are well. After an outage none is, so each counts to a limit.
  text: `SELECT (SELECT count(*)::integer FROM (
        SELECT FROM channel_calendars WHERE problem IS NOT NULL LIMIT $2) c) AS failing,
      (SELECT count(*)::integer FROM (SELECT FROM channel_calendars
        WHERE problem IS NULL AND shrunk_since IS NOT NULL AND kept_at IS NULL LIMIT $2) c) AS shrunk,
      (SELECT count(*)::integer FROM (SELECT FROM channel_calendars WHERE url_sealed IS NOT NULL
        AND coalesce(refreshed_at, created_at) < now() - 3 * make_interval(secs => $1) LIMIT $2) c) AS unread,
      (SELECT count(*)::integer FROM (
        (SELECT FROM channel_conflicts k WHERE ${isOpenConflict} LIMIT $2)
        UNION ALL (${openOutsideStays} LIMIT $2) LIMIT $2) s) AS conflicts`,
  values: (everySeconds, atMost = countedAtMost) => [everySeconds, atMost],
});

/** How many seconds the most overdue calendar has waited to be read. 0: none is due. */
export const readOverdueCalendars = theValue<[], number>({
  name: 'overdue-channel-calendars',
  text: `SELECT greatest(0, coalesce(extract(epoch FROM now() - min(due_at)), 0))::float8 AS seconds
    FROM channel_calendars WHERE due_at IS NOT NULL`,
});

/** Counts the calendars that cannot be read, up to `atMost`. */
export const countFailingCalendars = theValue<[atMost: number], number>({
  name: 'count-failing-calendars',
  text: `SELECT count(*)::integer AS count
    FROM (SELECT FROM channel_calendars WHERE problem IS NOT NULL LIMIT $1) found`,
});
