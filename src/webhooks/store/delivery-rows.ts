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

/** A delivery as a statement returns it. */
export interface DeliveryRow {
  delivery_id: string;
  endpoint_id: string;
  event_id: string;
  event_type: EventType;
  sequence: number | null;
  state: WebhookDeliveryState;
  attempts: number;
  next_attempt_at: EpochMs | null;
  last_attempt_at: EpochMs | null;
  last_status: number | null;
  last_error: WebhookAttemptError | null;
  created_at: EpochMs;
  delivered_at: EpochMs | null;
}

/** The columns of the delivery `d` for a `DeliveryRow`. */
export const deliveryColumns = `d.delivery_id, d.endpoint_id, d.event_id, d.event_type, d.sequence, ${stateColumn} AS state, d.attempts,
  CASE WHEN NOT d.leased THEN d.due_at END AS next_attempt_at, d.last_attempt_at, d.last_status,
  d.last_error, d.created_at, d.delivered_at`;

/** Joins the endpoint of the delivery `d`: a deleted one and its deliveries are invisible immediately. */
export const ofEndpoint = `JOIN webhook_endpoints e ON e.endpoint_id = d.endpoint_id AND e.deleted_at IS NULL`;

/** The delivery of a row. */
export const deliveryOf = (row: DeliveryRow): WebhookDelivery => ({
  deliveryId: row.delivery_id,
  endpointId: row.endpoint_id,
  eventId: row.event_id,
  type: row.event_type,
  sequence: row.sequence,
  test: row.sequence === null,
  state: row.state,
  attempts: row.attempts,
  nextAttemptAt: row.next_attempt_at,
  lastAttemptAt: row.last_attempt_at,
  lastStatus: row.last_status,
  lastError: row.last_error,
  createdAt: row.created_at,
  deliveredAt: row.delivered_at,
});
