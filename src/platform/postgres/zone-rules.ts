/** Which rules of time zones due times were computed by: Node's, never those of PostgreSQL, which may be older. */
import type { Executor, Statement } from './database.ts';
import { noRows } from './statement-functions.ts';

/** The version of the rules that this process has, such as `2026c`. Later ones sort after earlier ones. */
export const zoneRules: string = process.versions['tz'] ?? '';

const areNewerStatement: Statement = {
  name: 'compare-zone-rules',
  text: `SELECT coalesce(zone_rules < $1, true) AS "areNewer" FROM installation`,
};

/** Whether these rules are newer than those by which due times were computed. */
export async function areNewerRules(executor: Executor, rules: string): Promise<boolean> {
  const [row] = await executor.query<{ areNewer: boolean }>(areNewerStatement, [rules]);
  return row?.areNewer ?? false;
}

/** Writes by which rules due times are computed from now on. */
export const noteZoneRules = noRows<[rules: string]>({
  name: 'note-zone-rules',
  text: `UPDATE installation SET zone_rules = $1 WHERE coalesce(zone_rules < $1, true)`,
});
