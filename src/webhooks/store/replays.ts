/** Deliveries and missed events that are sent again. */
import { portalLimits } from '../../contract/portal/limits.ts';
import { type EpochMs, instant } from '../../contract/time.ts';
import type { Executor } from '../../platform/postgres/database.ts';
import { countRows, oneRow, theValue } from '../../platform/postgres/statement-functions.ts';
import { deliveryColumns, ofEndpoint, type WebhookDelivery } from './delivery-rows.ts';
import { isFailed } from './delivery-states.ts';

// Starts a new round of attempts now. Attempts in flight and removed events are excluded by the conditions.
const beginAgain = `state = 'pending', attempts = 0, due_at = now(), fence = d.fence + 1, delivered_at = NULL`;
const canBeSent = `NOT d.leased
  AND (d.test_event IS NOT NULL OR EXISTS (SELECT FROM events ev WHERE ev.event_id = d.event_id))`;

const replay = oneRow<[applicationId: string, deliveryId: string], WebhookDelivery>({
  name: 'replay-webhook-delivery',
  text: `UPDATE webhook_deliveries d SET ${beginAgain} FROM webhook_endpoints e
    WHERE d.delivery_id = $2 AND d.application_id = $1 AND ${canBeSent}
      AND e.endpoint_id = d.endpoint_id AND e.deleted_at IS NULL
    RETURNING ${deliveryColumns}`,
});

const findLeased = oneRow<[applicationId: string, deliveryId: string], WebhookDelivery>({
  name: 'find-leased-delivery',
  text: `SELECT ${deliveryColumns} FROM webhook_deliveries d ${ofEndpoint}
    WHERE d.delivery_id = $2 AND d.application_id = $1 AND d.leased`,
});

/**
 * Sends a delivery again, in a new round of attempts. An attempt in flight is not disturbed. Undefined: there is
 * no such delivery, or its event has left the feed's window.
 */
export const replayWebhookDelivery = async (
  executor: Executor,
  applicationId: string,
  deliveryId: string,
): Promise<WebhookDelivery | undefined> =>
  (await replay(executor, applicationId, deliveryId)) ??
  (await findLeased(executor, applicationId, deliveryId));

const { replayedAtOnce } = portalLimits;

// The count and the replay use the same deliveries: those without an attempt in flight.
const failedSince = `d.endpoint_id = $2 AND d.application_id = $1 AND d.last_attempt_at >= $3
      AND ${isFailed} AND ${canBeSent}`;
const failedDeliveries = `SELECT d.delivery_id FROM webhook_deliveries d ${ofEndpoint}
      WHERE ${failedSince} LIMIT $4`;

/** Counts the deliveries that failed since then and could be sent again, up to one more than a replay sends. */
export const countFailed = theValue<
  [applicationId: string, endpointId: string, since: EpochMs],
  number
>({
  name: 'count-failed-deliveries',
  text: `SELECT count(*)::integer AS failed FROM (${failedDeliveries}) counted`,
  values: (applicationId, endpointId, since) => [
    applicationId,
    endpointId,
    instant(since),
    replayedAtOnce + 1,
  ],
});

/**
 * Sends again deliveries that failed since then, also those given up, up to a bound. Returns how many.
 * Spec: WEBHOOK-7.
 */
export const replayFailed = countRows<[applicationId: string, endpointId: string, since: EpochMs]>({
  name: 'replay-failed-deliveries',
  // The conditions are checked again for a delivery that has changed meanwhile.
  text: `UPDATE webhook_deliveries d SET ${beginAgain}
    WHERE d.delivery_id = ANY (ARRAY(${failedDeliveries}))
      AND NOT d.leased AND d.state <> 'delivered' AND (d.state = 'exhausted' OR d.attempts > 0)
    RETURNING d.delivery_id`,
  values: (applicationId, endpointId, since) => [
    applicationId,
    endpointId,
    instant(since),
    replayedAtOnce,
  ],
});

// One statement creates a batch of deliveries and advances the mark past it, so that a crash between two
// batches loses nothing.
const replaySomeMissed = oneRow<
  [applicationId: string, endpointId: string, atMost: number],
  { begun: number; more: boolean }
>({
  name: 'replay-missed-events',
  text: `WITH held AS (
      SELECT endpoint_id, application_id, event_types, missed_after,
        least(missed_until, missed_after + $3) AS piece_until, missed_until
      FROM webhook_endpoints
      WHERE endpoint_id = $2 AND application_id = $1 AND deleted_at IS NULL AND missed_after IS NOT NULL
      FOR NO KEY UPDATE
    ), begun AS (
      INSERT INTO webhook_deliveries (endpoint_id, application_id, event_id, event_type, sequence)
      SELECT held.endpoint_id, held.application_id, ev.event_id, ev.type, ev.sequence
      FROM held JOIN events ev ON ev.application_id = held.application_id
        AND ev.sequence > held.missed_after AND ev.sequence <= held.piece_until
      WHERE held.event_types IS NULL OR ev.type = ANY (held.event_types)
      ORDER BY ev.sequence
      ON CONFLICT (endpoint_id, event_id) DO NOTHING
      RETURNING delivery_id
    )
    UPDATE webhook_endpoints e SET
      missed_after = CASE WHEN held.piece_until < held.missed_until THEN held.piece_until END,
      missed_until = CASE WHEN held.piece_until < held.missed_until THEN held.missed_until END
    FROM held WHERE e.endpoint_id = held.endpoint_id
    RETURNING (SELECT count(*)::integer FROM begun) AS begun, e.missed_after IS NOT NULL AS more`,
});

const missedAtOnce = 2_000;

/** Sends the events that a resume without replay skipped. Returns how many. */
export async function replayMissed(
  executor: Executor,
  applicationId: string,
  endpointId: string,
): Promise<number> {
  let replayed = 0;
  for (;;) {
    const piece = await replaySomeMissed(executor, applicationId, endpointId, missedAtOnce);
    replayed += piece?.begun ?? 0;
    if (!piece?.more) return replayed;
  }
}
