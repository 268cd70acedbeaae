/** Which hosts have calendars that are due. */
import type { Executor, Statement } from '../../platform/postgres/database.ts';
import type { Pace } from '../../platform/sending/bulkheads.ts';
import { hostOfUrl } from '../rules/host.ts';
import { openUrl } from './sealed-url.ts';

/** A host with calendars that are due. */
export interface DueHost {
  host: string;
  calendars: number;
  /** How it has answered. Null: it was never asked. */
  pace: Pace | null;
}

const dueStatement: Statement = {
  name: 'due-calendar-hosts',
  text: `SELECT host, count(*)::integer AS calendars,
      CASE WHEN bool_or(failures = 0 AND refreshed_at IS NOT NULL) THEN 'quick'
        WHEN bool_or(failures > 0) THEN 'slow' END AS pace
    FROM channel_calendars WHERE due_at <= now() AND host IS NOT NULL
    GROUP BY host ORDER BY min(due_at)`,
};

/** Reads the hosts of due calendars, longest due first. */
export const readDueHosts = (executor: Executor): Promise<DueHost[]> =>
  executor.query<DueHost>(dueStatement);

const unnamedStatement: Statement = {
  name: 'calendars-without-host',
  text: `SELECT calendar_id AS "calendarId", url_sealed FROM channel_calendars
    WHERE host IS NULL AND due_at <= now() ORDER BY due_at LIMIT $1`,
};

const nameStatement: Statement = {
  name: 'name-calendar-hosts',
  text: `UPDATE channel_calendars c SET host = named.host
    FROM unnest($1::uuid[], $2::text[]) AS named (calendar_id, host)
    WHERE c.calendar_id = named.calendar_id AND c.host IS NULL`,
};

interface UnnamedRow {
  calendarId: string;
  url_sealed: Buffer;
}

/** Fills in the hosts of due calendars that an earlier version has written. Returns how many. */
export async function nameHosts(executor: Executor, atMost: number): Promise<number> {
  const rows = await executor.query<UnnamedRow>(unnamedStatement, [atMost]);
  if (rows.length === 0) return 0;
  const hosts = rows.map((row) => hostOfUrl(openUrl(executor, row)));
  await executor.query(nameStatement, [rows.map(({ calendarId }) => calendarId), hosts]);
  return rows.length;
}
