import type { EventType } from '../../contract/events.ts';
import type { EpochMs } from '../../contract/time.ts';
import type { ExchangeError } from '../../platform/sending/exchange.ts';
import { stateColumn } from './delivery-states.ts';

/** `pending`: no attempt has failed since it was created or last replayed. `retrying`: one has. */
export type WebhookDeliveryState = 'pending' | 'retrying' | 'delivered' | 'exhausted';

/** Why an attempt failed. */
export type WebhookAttemptError =
  | ExchangeError
  | 'dns'
  | 'forbidden_address'
  | 'interrupted'
  | 'secret_unreadable'
  | 'unrecorded';

/** The delivery of an event to one endpoint. */
export interface WebhookDelivery {
  deliveryId: string;
  endpointId: string;
  eventId: string;
  type: EventType;
  /** Null: a test event. */
  sequence: number | null;
  test: boolean;
  state: WebhookDeliveryState;
  /** Attempts since it was created or last replayed. */
  attempts: number;
  /** Null: none is planned, or one is in flight. */
  nextAttemptAt: EpochMs | null;
  lastAttemptAt: EpochMs | null;
  lastStatus: number | null;
  lastError: WebhookAttemptError | null;
  createdAt: EpochMs;
  deliveredAt: EpochMs | null;
}

/** The columns of the delivery `d` as a `WebhookDelivery`. */
export const deliveryColumns = `d.delivery_id AS "deliveryId", d.endpoint_id AS "endpointId", d.event_id AS "eventId",
  d.event_type AS type, d.sequence, d.sequence IS NULL AS test, ${stateColumn} AS state, d.attempts,
  CASE WHEN NOT d.leased THEN d.due_at END AS "nextAttemptAt", d.last_attempt_at AS "lastAttemptAt",
  d.last_status AS "lastStatus", d.last_error AS "lastError", d.created_at AS "createdAt", d.delivered_at AS "deliveredAt"`;

/** Joins the endpoint of the delivery `d`: a deleted one and its deliveries are invisible immediately. */
export const ofEndpoint = `JOIN webhook_endpoints e ON e.endpoint_id = d.endpoint_id AND e.deleted_at IS NULL`;
