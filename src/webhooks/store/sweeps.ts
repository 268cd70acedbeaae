import type { Executor, Statement } from '../../platform/postgres/database.ts';

// The IDs of deliveries are ordered by creation time.
const olderThan = '(SELECT uuidv7(make_interval(days => -$1::integer)))';

const exhaustStatement: Statement = {
  name: 'exhaust-eventless-deliveries',
  text: `UPDATE webhook_deliveries SET state = 'exhausted', due_at = NULL, leased = false
    WHERE delivery_id = ANY (ARRAY(
      SELECT delivery_id FROM webhook_deliveries d
      WHERE d.delivery_id < ${olderThan} AND d.state = 'pending' AND d.test_event IS NULL
        AND NOT EXISTS (SELECT FROM events ev WHERE ev.event_id = d.event_id)
      ORDER BY d.delivery_id LIMIT $2 FOR UPDATE SKIP LOCKED))
    RETURNING delivery_id`,
};

const sweepOldStatement: Statement = {
  name: 'sweep-webhook-deliveries',
  text: `WITH swept AS (
      DELETE FROM webhook_deliveries WHERE delivery_id = ANY (ARRAY(
        SELECT delivery_id FROM webhook_deliveries
        WHERE delivery_id < ${olderThan} AND state <> 'pending'
        ORDER BY delivery_id LIMIT $2 FOR UPDATE SKIP LOCKED))
      RETURNING delivery_id
    ), attempts AS (
      DELETE FROM webhook_attempts a USING swept WHERE a.delivery_id = swept.delivery_id
    )
    SELECT delivery_id FROM swept`,
};

const sweepDeletedStatement: Statement = {
  name: 'sweep-deleted-endpoints',
  text: `WITH gone AS (
      SELECT endpoint_id, application_id FROM webhook_endpoints WHERE deleted_at IS NOT NULL
    ), swept AS (
      DELETE FROM webhook_deliveries WHERE delivery_id = ANY (ARRAY(
        SELECT d.delivery_id FROM gone JOIN webhook_deliveries d
          ON d.application_id = gone.application_id AND d.endpoint_id = gone.endpoint_id
        LIMIT $1 FOR UPDATE OF d SKIP LOCKED))
      RETURNING delivery_id
    ), attempts AS (
      DELETE FROM webhook_attempts a USING swept WHERE a.delivery_id = swept.delivery_id
    ), emptied AS (
      DELETE FROM webhook_endpoints e USING gone WHERE e.endpoint_id = gone.endpoint_id
        AND NOT EXISTS (SELECT FROM webhook_deliveries d
          WHERE d.application_id = gone.application_id AND d.endpoint_id = gone.endpoint_id)
    )
    SELECT delivery_id FROM swept`,
};

/** Gives up one batch of deliveries older than this number of days whose event was removed. Returns how many. */
export const exhaustEventless = async (
  executor: Executor,
  days: number,
  atMost: number,
): Promise<number> => (await executor.query(exhaustStatement, [days, atMost])).length;

/** Removes one batch of finished deliveries older than this number of days, with their attempts. */
export const sweepDeliveries = async (
  executor: Executor,
  days: number,
  atMost: number,
): Promise<number> => (await executor.query(sweepOldStatement, [days, atMost])).length;

/** Removes deleted endpoints, with one batch of their deliveries. Returns how many. */
export const sweepDeletedEndpoints = async (executor: Executor, atMost: number): Promise<number> =>
  (await executor.query(sweepDeletedStatement, [atMost])).length;
