import type { Executor, Statement } from './database.ts';
import { isOlderThan } from './wrong-times.ts';

/** Tables whose rows are removed by age only, with the indexed column of the age. */
const aged = {
  attention_items: 'closed_at',
  booking_traces: 'created_at',
  booked_days: 'day',
  checkout_commands: 'created_at',
  funnel_refusals: 'week',
  funnel_weeks: 'week',
  inventory_changes: 'changed_at',
  keyed_creates: 'created_at',
  payment_records: 'created_at',
  portal_links: 'expires_at',
  portal_sessions: 'expires_at',
  rate_undos: 'made_at',
  text_undos: 'made_at',
  request_log: 'at',
  reservation_days: 'day',
  revoked_tokens: 'expires_at',
  search_observations: 'observed_at',
  signals: 'received_at',
  simulated_attempts: 'decided_at',
  staff_invitations: 'expires_at',
  staff_networks: 'seen_at',
  staff_sessions: 'expires_at',
  wrong_times: 'noticed_at',
} as const;

/** A table whose rows are removed by age only. */
export type AgedTable = keyof typeof aged;

// What must be there for a row to go. A booking may still look up an attempt that the simulated supplier has not made known.
const kept: Partial<Record<AgedTable, string>> = {
  simulated_attempts: 'known_at IS NOT NULL',
  // What was not yet published.
  attention_items: 'telling IS NULL',
  payment_records: 'due_at IS NULL',
};

const statementFor = (table: AgedTable): Statement => ({
  name: 'sweep',
  variant: table,
  text: `WITH swept AS (
      DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM ${table}
        WHERE ${isOlderThan(aged[table], '$1')} AND ${kept[table] ?? 'true'}
        ORDER BY ${aged[table]} LIMIT $2)) RETURNING 1
    )
    SELECT count(*)::integer AS swept FROM swept`,
});

/** Removes one batch of rows older than this number of days, oldest first. Returns how many. */
export async function sweepByAge(
  executor: Executor,
  table: AgedTable,
  days: number,
  atMost: number,
): Promise<number> {
  const [row] = await executor.query<{ swept: number }>(statementFor(table), [days, atMost]);
  return row!.swept;
}
