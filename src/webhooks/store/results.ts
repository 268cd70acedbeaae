import { columnsOf } from '../../platform/postgres/columns.ts';
import { manyRows, noRows } from '../../platform/postgres/statement-functions.ts';
import type { WebhookAttemptError } from './delivery-rows.ts';
import type { WebhookEndpointState, WebhookStateReason } from './endpoints.ts';

/** The result of an attempt, and the new state of its delivery. */
export interface WebhookResult {
  deliveryId: string;
  /** The fence of the claim. */
  fence: number;
  state: 'delivered' | 'pending' | 'exhausted';
  /** The delay until the next attempt. Null: there is none. */
  retryInSeconds: number | null;
  durationMs: number;
  status: number | null;
  error: WebhookAttemptError | null;
  response: Buffer | null;
}

/** An endpoint that was paused or disabled because of its results. */
export interface StoppedEndpoint {
  endpointId: string;
  applicationId: string;
  state: WebhookEndpointState;
  stateReason: WebhookStateReason;
}

/** Gives up a delivery whose result cannot be recorded. Writes nothing if the lease was lost. */
export const setAsideDelivery = noRows<
  [webhookResult: Pick<WebhookResult, 'deliveryId' | 'fence'>]
>({
  name: 'set-aside-webhook-delivery',
  text: `UPDATE webhook_deliveries SET state = 'exhausted', due_at = NULL, leased = false,
      attempts = attempts + 1, last_status = NULL, last_error = 'unrecorded'
    WHERE delivery_id = $1 AND fence = $2 AND leased`,
  values: ({ deliveryId, fence }) => [deliveryId, fence],
});

/**
 * Writes the results of attempts in one statement, except those with a lost lease. Disables an endpoint that
 * reports it is gone, and pauses one whose attempts have all failed for this number of days.
 */
export const recordWebhookResults = manyRows<
  [results: readonly WebhookResult[], failingDays: number],
  StoppedEndpoint
>({
  name: 'record-webhook-results',
  // Locks deliveries first, then the endpoints that change, always in the same order to avoid deadlocks.
  text: `WITH results AS (
      SELECT * FROM unnest($1::uuid[], $2::bigint[], $3::text[], $4::double precision[], $5::integer[],
        $6::integer[], $7::text[], $8::bytea[]) WITH ORDINALITY
        AS r (delivery_id, fence, state, retry_in, duration_ms, status, error, response, ordinal)
    ), moved AS (
      UPDATE webhook_deliveries d SET state = r.state, attempts = d.attempts + 1, leased = false,
        due_at = now() + make_interval(secs => r.retry_in), last_status = r.status,
        last_error = r.error, delivered_at = CASE r.state WHEN 'delivered' THEN now() END
      FROM results r WHERE d.delivery_id = ANY ($1::uuid[]) AND d.delivery_id = r.delivery_id
        AND d.fence = r.fence AND d.leased
      RETURNING d.delivery_id, d.endpoint_id, d.attempts_begun, d.last_attempt_at, r.duration_ms,
        r.status, r.error, r.response, r.ordinal
    ), tried AS (
      INSERT INTO webhook_attempts
        (delivery_id, number, started_at, duration_ms, status, error, response)
      SELECT delivery_id, attempts_begun, last_attempt_at, duration_ms, status, error, response
      FROM moved
    ), reported AS (
      SELECT endpoint_id, bool_or(error IS NULL) AS reached,
        (array_agg(error IS NULL ORDER BY ordinal DESC))[1] AS reached_last,
        coalesce(bool_or(status = 410), false) AS gone
      FROM moved GROUP BY endpoint_id
    ), concerned AS (
      SELECT e.endpoint_id, e.state = 'active' AND reported.gone AS gone,
        e.state = 'active' AND NOT reported.reached AND NOT reported.gone
          AND coalesce(e.failing_since <= now() - make_interval(days => $9), false) AS given_up,
        CASE WHEN reported.reached_last THEN NULL WHEN reported.reached THEN now()
          ELSE coalesce(e.failing_since, now()) END AS failing_since
      FROM reported JOIN webhook_endpoints e ON e.endpoint_id = ANY (ARRAY(SELECT endpoint_id FROM reported))
        AND e.endpoint_id = reported.endpoint_id
      WHERE NOT reported.reached_last OR e.failing_since IS NOT NULL
      ORDER BY e.endpoint_id FOR NO KEY UPDATE OF e
    ), judged AS (
      UPDATE webhook_endpoints e SET failing_since = c.failing_since,
        state = CASE WHEN c.gone THEN 'disabled' WHEN c.given_up THEN 'paused' ELSE e.state END,
        state_reason = CASE WHEN c.gone THEN 'gone' WHEN c.given_up THEN 'failing'
          ELSE e.state_reason END,
        state_since = CASE WHEN c.gone OR c.given_up THEN now() ELSE e.state_since END
      FROM concerned c WHERE e.endpoint_id = ANY (ARRAY(SELECT endpoint_id FROM concerned))
        AND e.endpoint_id = c.endpoint_id
      RETURNING e.endpoint_id, e.application_id, e.state, e.state_reason,
        c.gone OR c.given_up AS stopped
    )
    SELECT endpoint_id AS "endpointId", application_id AS "applicationId", state, state_reason AS "stateReason"
    FROM judged WHERE stopped`,
  values: (results, failingDays) => [
    ...columnsOf(
      results,
      'deliveryId',
      'fence',
      'state',
      'retryInSeconds',
      'durationMs',
      'status',
      'error',
      'response',
    ),
    failingDays,
  ],
});
