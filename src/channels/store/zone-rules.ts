import type { Executor, Statement } from '../../platform/postgres/database.ts';

// No home has this zone, so the next read is of the whole calendar, whatever its validators say.
const statement: Statement = {
  name: 'read-calendars-whole',
  text: `UPDATE channel_calendars SET read_time_zone = '' WHERE calendar_id = ANY (ARRAY(
      SELECT calendar_id FROM channel_calendars
      WHERE url_sealed IS NOT NULL AND read_time_zone IS DISTINCT FROM '' AND calendar_id > $1
      ORDER BY calendar_id LIMIT $2))
    RETURNING calendar_id AS "calendarId"`,
};

const atOnce = 500;

/** Has each calendar read as a whole at its next read: its instants may be other days now. Spec: CLOCK-3. */
export async function readCalendarsWhole(executor: Executor, signal: AbortSignal): Promise<void> {
  let after = '00000000-0000-0000-0000-000000000000';
  while (!signal.aborted) {
    const rows = await executor.query<{ calendarId: string }>(statement, [after, atOnce]);
    if (rows.length < atOnce) return;
    after = rows.reduce((last, { calendarId }) => (calendarId > last ? calendarId : last), after);
  }
}
