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

const paceOfDue = `CASE WHEN bool_or(failures = 0 AND refreshed_at IS NOT NULL) THEN 'quick'
        WHEN bool_or(failures > 0) THEN 'slow' END AS pace`;

const dueStatement: Statement = {
  name: 'due-calendar-hosts',
  text: `SELECT host, count(*)::integer AS calendars, ${paceOfDue}
    FROM (SELECT host, failures, refreshed_at, due_at FROM channel_calendars
      WHERE due_at <= now() AND host IS NOT NULL ORDER BY due_at LIMIT $1) due
    GROUP BY host ORDER BY min(due_at)`,
};

// From host to host by the index, and of each only its first calendars: a host with a million due ones costs as much as
// one with some. Those that were read before are looked at before the others.
const manyStatement: Statement = {
  name: 'due-calendar-hosts',
  variant: 'many',
  text: `WITH RECURSIVE hosts AS (
      (SELECT host FROM channel_calendars WHERE due_at IS NOT NULL AND host IS NOT NULL ORDER BY host LIMIT 1)
      UNION ALL
      SELECT next.host FROM hosts CROSS JOIN LATERAL (
        SELECT host FROM channel_calendars WHERE due_at IS NOT NULL AND host > hosts.host ORDER BY host LIMIT 1) next
    )
    SELECT hosts.host, count(*)::integer AS calendars, ${paceOfDue}
    FROM hosts CROSS JOIN unnest('{false,true}'::boolean[]) AS kind (is_later) CROSS JOIN LATERAL (
      SELECT failures, refreshed_at, due_at FROM channel_calendars
      WHERE host = hosts.host AND (failures > 0 OR refreshed_at IS NULL) = kind.is_later AND due_at <= now()
      ORDER BY due_at LIMIT $1) due
    GROUP BY hosts.host ORDER BY min(due.due_at)`,
};

const lookAtMost = 10_000;

/**
 * Reads the hosts of due calendars, longest due first. When many are due, it counts at most `ofHost` of each kind of a
 * host.
 */
export async function readDueHosts(
  executor: Executor,
  ofHost: number,
  atMost = lookAtMost,
): Promise<DueHost[]> {
  const found = await executor.query<DueHost>(dueStatement, [atMost]);
  const looked = found.reduce((sum, { calendars }) => sum + calendars, 0);
  if (looked < atMost) return found;
  return executor.query<DueHost>(manyStatement, [ofHost]);
}

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
