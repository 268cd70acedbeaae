import type { EventType } from '../../contract/events.ts';
import type { EpochMs } from '../../contract/time.ts';
import type { Executor, Statement } from '../../platform/postgres/database.ts';
import { oneRow } from '../../platform/postgres/statement-functions.ts';
import {
  deliveryColumns,
  deliveryOf,
  type DeliveryRow,
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

type RecordRow = DeliveryRow & {
  data: Record<string, unknown> | null;
  happened_at: EpochMs | null;
};

interface AttemptRow {
  number: number;
  started_at: EpochMs;
  duration_ms: number;
  status: number | null;
  error: WebhookAttemptError | null;
  response: Buffer | null;
}

const findStatement: Statement = {
  name: 'find-webhook-delivery',
  text: `SELECT ${deliveryColumns}, coalesce(d.test_event, ev.data) AS data,
      CASE WHEN d.test_event IS NULL THEN ev.created_at ELSE d.created_at END AS happened_at
    FROM webhook_deliveries d ${ofEndpoint}
    LEFT JOIN events ev ON ev.event_id = d.event_id
    WHERE d.delivery_id = $2 AND d.application_id = $1`,
};

const attemptsStatement: Statement = {
  name: 'list-webhook-attempts',
  text: `SELECT number, started_at, duration_ms, status, error, response FROM webhook_attempts
    WHERE delivery_id = $1 ORDER BY number`,
};

const attemptOf = (row: AttemptRow): WebhookAttempt => ({
  number: row.number,
  startedAt: row.started_at,
  durationMs: row.duration_ms,
  status: row.status,
  error: row.error,
  response: row.response?.toString('utf8') ?? null,
});

/** Reads a delivery of the application with its attempts. */
export async function findWebhookDelivery(
  executor: Executor,
  applicationId: string,
  deliveryId: string,
): Promise<WebhookDeliveryInFull | undefined> {
  const [row] = await executor.query<RecordRow>(findStatement, [applicationId, deliveryId]);
  if (!row) return undefined;
  const attempts = await executor.query<AttemptRow>(attemptsStatement, [deliveryId]);
  const { data, happened_at: createdAt } = row;
  return {
    ...deliveryOf(row),
    attemptsMade: attempts.map(attemptOf),
    event: data === null || createdAt === null ? null : { data, createdAt },
  };
}

/**
 * Sends a test event to an endpoint, also if it does not receive this type. Undefined: no such endpoint.
 * Spec: WEBHOOK-8.
 */
export const insertTestDelivery = oneRow<
  [applicationId: string, endpointId: string, type: EventType, data: Record<string, unknown>],
  DeliveryRow,
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
  result: deliveryOf,
});
