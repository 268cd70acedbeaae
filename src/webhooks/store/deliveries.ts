import type { EventType } from '../../contract/events.ts';
import type { EpochMs } from '../../contract/time.ts';
import type { Executor } from '../../platform/postgres/database.ts';
import { manyRows, oneRow } from '../../platform/postgres/statement-functions.ts';
import {
  deliveryColumns,
  ofEndpoint,
  type WebhookAttemptError,
  type WebhookDelivery,
} from './delivery-rows.ts';

/** An attempt of a delivery. */
export interface WebhookAttempt {
  number: number;
  startedAt: EpochMs;
  durationMs: number;
  /** Null: no response. */
  status: number | null;
  /** Null: it was delivered. */
  error: WebhookAttemptError | null;
  /** The start of the response body. */
  response: string | null;
}

/** A delivery with its attempts and data. */
export interface WebhookDeliveryInFull extends WebhookDelivery {
  attemptsMade: WebhookAttempt[];
  /** The data of the event. Null: the event has left the feed's window. */
  event: { createdAt: EpochMs; data: Record<string, unknown> } | null;
}

const findStored = oneRow<
  [applicationId: string, deliveryId: string],
  WebhookDelivery & { data: Record<string, unknown> | null; happenedAt: EpochMs | null }
>({
  name: 'find-webhook-delivery',
  text: `SELECT ${deliveryColumns}, coalesce(d.test_event, ev.data) AS data,
      CASE WHEN d.test_event IS NULL THEN ev.created_at ELSE d.created_at END AS "happenedAt"
    FROM webhook_deliveries d ${ofEndpoint}
    LEFT JOIN events ev ON ev.event_id = d.event_id
    WHERE d.delivery_id = $2 AND d.application_id = $1`,
});

const listAttempts = manyRows<
  [deliveryId: string],
  Omit<WebhookAttempt, 'response'> & { response: Buffer | null },
  WebhookAttempt
>({
  name: 'list-webhook-attempts',
  text: `SELECT number, started_at AS "startedAt", duration_ms AS "durationMs", status, error, response
    FROM webhook_attempts WHERE delivery_id = $1 ORDER BY number`,
  result: (attempt) => ({ ...attempt, response: attempt.response?.toString('utf8') ?? null }),
});

/** Reads a delivery of the application with its attempts. */
export async function findWebhookDelivery(
  executor: Executor,
  applicationId: string,
  deliveryId: string,
): Promise<WebhookDeliveryInFull | undefined> {
  const found = await findStored(executor, applicationId, deliveryId);
  if (!found) return undefined;
  const { data, happenedAt: createdAt, ...delivery } = found;
  return {
    ...delivery,
    attemptsMade: await listAttempts(executor, deliveryId),
    event: data === null || createdAt === null ? null : { data, createdAt },
  };
}

/**
 * Sends a test event to an endpoint, also if it does not receive this type. Undefined: no such endpoint.
 * Spec: WEBHOOK-8.
 */
export const insertTestDelivery = oneRow<
  [applicationId: string, endpointId: string, type: EventType, data: Record<string, unknown>],
  WebhookDelivery
>({
  name: 'insert-test-delivery',
  text: `INSERT INTO webhook_deliveries AS d (endpoint_id, application_id, event_type, test_event)
    SELECT e.endpoint_id, e.application_id, $3, $4 FROM webhook_endpoints e
    WHERE e.endpoint_id = $2 AND e.application_id = $1 AND e.deleted_at IS NULL
    RETURNING ${deliveryColumns}`,
  values: (applicationId, endpointId, type, data) => [
    applicationId,
    endpointId,
    type,
    JSON.stringify(data),
  ],
});
