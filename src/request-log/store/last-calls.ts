import type { EpochMs } from '../../contract/time.ts';
import type { Executor, Statement } from '../../platform/postgres/database.ts';

// One probe of an index for each application. The log has the calls of applications with a portal; the others
// are known by their tokens.
const statement: Statement = {
  name: 'read-last-calls',
  text: `SELECT a.id AS "applicationId", greatest(
      (SELECT max(k.last_used_at) FROM application_keys k WHERE k.application_id = a.id),
      (SELECT r.at FROM request_log r WHERE r.application_id = a.id
        ORDER BY r.at DESC, r.request_id DESC LIMIT 1)) AS at
    FROM unnest($1::uuid[]) a (id)`,
};

/** Reads when applications last called or got a token, by their IDs; null: never, as far as is kept. */
export async function readLastCalls(
  executor: Executor,
  applicationIds: readonly string[],
): Promise<Map<string, EpochMs | null>> {
  type Row = { applicationId: string; at: EpochMs | null };
  const rows = await executor.query<Row>(statement, [applicationIds]);
  return new Map(rows.map(({ applicationId, at }) => [applicationId, at]));
}
