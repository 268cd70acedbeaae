/** How a channel means its calendar, and how it is asked for. */
import type { Executor, Statement } from '../../platform/postgres/database.ts';
import { noRows } from '../../platform/postgres/statement-functions.ts';
import type { ReadOptions } from '../icalendar/read-calendar.ts';
import { digestsOf, type CalendarSource } from './calendars.ts';

const optionsStatement: Statement = {
  name: 'read-calendar-options',
  text: `SELECT ignored_summaries AS ignore, event_end AS "end", free_events AS free
    FROM channel_calendars WHERE listing_id = $1 AND source_digest = ANY ($2::bytea[])`,
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
    digestsOf(executor, source),
  ]);
  return options ?? usualOptions;
}

/** How a channel means its calendar, and how it is asked for. */
export interface CalendarOptionsRow extends ReadOptions {
  userAgent: string | null;
  source: string | null;
}

/** Changes how a calendar is read. It is read again now. */
export const writeOptions = noRows<[calendarId: string, calendarOptionsRow: CalendarOptionsRow]>({
  name: 'set-calendar-options',
  // A read in progress is of the former options, so it must not count.
  text: `UPDATE channel_calendars SET ignored_summaries = $2, event_end = $3, free_events = $4, user_agent = $5,
      outside_source = $6, fence = fence + 1, due_at = CASE WHEN due_at IS NOT NULL THEN now() END,
      etag = NULL, last_modified = NULL, options_changed = options_changed
        OR (ignored_summaries, event_end, free_events) IS DISTINCT FROM ($2::text[], $3::text, $4::text)
    WHERE calendar_id = $1`,
  values: (calendarId, { ignore, end, free, userAgent, source }) => [
    calendarId,
    ignore,
    end,
    free,
    userAgent,
    source,
  ],
});
