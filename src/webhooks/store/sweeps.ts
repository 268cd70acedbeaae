import type { Executor } from '../../platform/postgres/database.ts';
import { countRows, hasRow } from '../../platform/postgres/statement-functions.ts';
import { isOlderThan } from '../../platform/postgres/wrong-times.ts';

// The IDs of deliveries are ordered by creation time; those of a clock that was not believed by a wrong one.
const idOlderThan = '(SELECT uuidv7(make_interval(days => -$1::integer)))';

/** Gives up one batch of deliveries older than this number of days whose event was removed. Returns how many. */
export const exhaustEventless = countRows<[days: number, atMost: number]>({
  name: 'exhaust-eventless-deliveries',
  text: `UPDATE webhook_deliveries SET state = 'exhausted', due_at = NULL, leased = false
    WHERE delivery_id = ANY (ARRAY(
      SELECT delivery_id FROM webhook_deliveries d
      WHERE d.delivery_id < ${idOlderThan} AND ${isOlderThan('d.created_at', '$1')} AND d.state = 'pending' AND d.test_event IS NULL
        AND NOT EXISTS (SELECT FROM events ev WHERE ev.event_id = d.event_id)
      ORDER BY d.delivery_id LIMIT $2 FOR UPDATE SKIP LOCKED))
    RETURNING delivery_id`,
});

/** Removes one batch of finished deliveries older than this number of days, with their attempts. Returns how many. */
export const sweepDeliveries = countRows<[days: number, atMost: number]>({
  name: 'sweep-webhook-deliveries',
  text: `WITH swept AS (
      DELETE FROM webhook_deliveries WHERE delivery_id = ANY (ARRAY(
        SELECT delivery_id FROM webhook_deliveries
        WHERE delivery_id < ${idOlderThan} AND ${isOlderThan('created_at', '$1')} AND state <> 'pending'
        ORDER BY delivery_id LIMIT $2 FOR UPDATE SKIP LOCKED))
      RETURNING delivery_id
    ), attempts AS (
      DELETE FROM webhook_attempts a USING swept WHERE a.delivery_id = swept.delivery_id
    )
    SELECT delivery_id FROM swept`,
});

const sweepDeletedEndpoint = hasRow<[atMost: number]>({
  name: 'sweep-deleted-endpoints',
  // Sweeps one endpoint at a time, and looks at each delivery of its application once. The last batch also removes
  // the endpoint.
  text: `WITH gone AS (
      SELECT endpoint_id, application_id, swept_until FROM webhook_endpoints
      WHERE deleted_at IS NOT NULL ORDER BY deleted_at LIMIT 1 FOR UPDATE SKIP LOCKED
    ), looked AS (
      SELECT d.* FROM gone CROSS JOIN LATERAL (
        SELECT delivery_id, created_at, endpoint_id = gone.endpoint_id AS of_gone
        FROM webhook_deliveries
        WHERE application_id = gone.application_id AND created_at > gone.swept_until
        ORDER BY created_at FETCH FIRST ($1::integer) ROWS WITH TIES) d
    ), reached AS (
      SELECT max(created_at) AS created_at, count(*) >= $1 AS more FROM looked
    ), swept AS (
      DELETE FROM webhook_deliveries WHERE delivery_id = ANY (ARRAY(
        SELECT delivery_id FROM looked WHERE of_gone))
      RETURNING delivery_id
    ), attempts AS (
      DELETE FROM webhook_attempts WHERE delivery_id = ANY (ARRAY(
        SELECT delivery_id FROM looked WHERE of_gone))
    ), marked AS (
      UPDATE webhook_endpoints e SET swept_until = reached.created_at FROM gone, reached
      WHERE e.endpoint_id = gone.endpoint_id AND reached.more
    ), emptied AS (
      DELETE FROM webhook_endpoints e USING gone, reached
      WHERE e.endpoint_id = gone.endpoint_id AND NOT reached.more
    )
    SELECT endpoint_id FROM gone`,
});

/**
 * Removes one batch of the deliveries of a deleted endpoint, and at last the endpoint. Returns `atMost`
 * while there may be more.
 */
export const sweepDeletedEndpoints = async (executor: Executor, atMost: number): Promise<number> =>
  (await sweepDeletedEndpoint(executor, atMost)) ? atMost : 0;

/** Erases what endpoints have answered to these events. Returns how many answers. */
export const eraseResponses = countRows<[eventIds: readonly string[]]>({
  name: 'erase-responses-of-events',
  text: `UPDATE webhook_attempts a SET response = NULL FROM webhook_deliveries d
    WHERE d.event_id = ANY ($1::uuid[]) AND a.delivery_id = d.delivery_id AND a.response IS NOT NULL
    RETURNING a.number`,
});
