import type { EpochMs } from '../../contract/time.ts';
import { valuesByKey } from '../../platform/postgres/statement-functions.ts';

/** Reads when applications last called or got a token, by their IDs; null: never, as far as is kept. */
export const readLastCalls = valuesByKey<
  [applicationIds: readonly string[]],
  string,
  EpochMs | null
>({
  name: 'read-last-calls',
  // One probe of an index for each application. The log has the calls of applications with a portal; the others
  // are known by their tokens.
  text: `SELECT a.id AS "applicationId", greatest(
      (SELECT max(k.last_used_at) FROM application_keys k WHERE k.application_id = a.id),
      (SELECT r.at FROM request_log r WHERE r.application_id = a.id
        ORDER BY r.at DESC, r.request_id DESC LIMIT 1)) AS at
    FROM unnest($1::uuid[]) a (id)`,
});
