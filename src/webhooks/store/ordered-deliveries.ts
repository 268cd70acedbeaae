/** Deliveries that partners order in the sandbox. Each is made once. */
import type { EventType } from '../../contract/events.ts';
import type { EpochMs } from '../../contract/time.ts';
import {
  countRows,
  manyRows,
  manyValues,
  noRows,
  theValue,
} from '../../platform/postgres/statement-functions.ts';
import { secretColumns, type SealedSecretsRow } from './endpoint-secrets.ts';

/** How an event is delivered once more. */
export interface DeliveryOrder {
  applicationId: string;
  eventId: string;
  copies: number;
  afterSeconds: number;
  badSignature: boolean;
  skewSeconds: number;
  /** Of a conformance run. */
  attemptId?: string;
  /** Sent in place of the ID of the event: one that does not exist. */
  forgedId?: string;
}

/** Orders deliveries to every active endpoint of the application. Returns their IDs. */
export const orderDeliveries = manyValues<[order: DeliveryOrder], string>({
  name: 'order-deliveries',
  text: `INSERT INTO sandbox_deliveries
      (application_id, endpoint_id, event_id, due_at, bad_signature, skew_seconds, attempt_id, forged_id)
    SELECT $1, e.endpoint_id, $2, now() + make_interval(secs => $4), $5, $6, $7, $8
    FROM webhook_endpoints e CROSS JOIN generate_series(1, $3::integer)
    WHERE e.application_id = $1 AND e.state = 'active' AND e.deleted_at IS NULL
    RETURNING delivery_id`,
  values: (order) => [
    order.applicationId,
    order.eventId,
    order.copies,
    order.afterSeconds,
    order.badSignature,
    order.skewSeconds,
    order.attemptId,
    order.forgedId,
  ],
});

/** Counts the ordered deliveries of an application that wait. */
export const countOrdered = theValue<[applicationId: string], number>({
  name: 'count-ordered-deliveries',
  text: `SELECT count(*)::integer AS waiting FROM sandbox_deliveries
    WHERE application_id = $1 AND due_at IS NOT NULL`,
});

/** An ordered delivery that is due. */
export type DueDelivery = SealedSecretsRow & {
  delivery_id: string;
  application_id: string;
  url: string;
  bad_signature: boolean;
  skew_seconds: number;
  forged_id: string | null;
  event_id: string;
  type: EventType;
  sequence: number;
  data: Record<string, unknown>;
  created_at: EpochMs;
  now: EpochMs;
};

/** Claims ordered deliveries that are due, for a time. */
export const claimOrdered = manyRows<[atMost: number, leaseSeconds: number], DueDelivery>({
  name: 'claim-ordered-deliveries',
  text: `WITH taken AS (
      UPDATE sandbox_deliveries SET due_at = now() + make_interval(secs => $2)
      WHERE delivery_id = ANY (ARRAY(
        SELECT delivery_id FROM sandbox_deliveries WHERE due_at <= now()
        ORDER BY due_at, delivery_id LIMIT $1 FOR UPDATE SKIP LOCKED))
      RETURNING *
    )
    SELECT t.delivery_id, t.application_id, t.bad_signature, t.skew_seconds, t.forged_id, e.url, ${secretColumns},
      ev.event_id, ev.type, ev.sequence, ev.data, ev.created_at, now() AS now
    FROM taken t
    JOIN webhook_endpoints e ON e.endpoint_id = t.endpoint_id
    JOIN LATERAL (SELECT * FROM events WHERE event_id = t.event_id OFFSET 0) ev ON true
    ORDER BY t.delivery_id`,
});

/** Notes the answer to an ordered delivery; null: none. */
export const endOrdered = noRows<[deliveryId: string, status: number | null]>({
  name: 'end-ordered-delivery',
  text: `UPDATE sandbox_deliveries SET due_at = NULL, ended_at = now(), status = $2
    WHERE delivery_id = $1`,
});

/** The answer to a delivery; status null: none yet. */
interface Answer {
  eventId: string;
  forgedId: string | null;
  status: number | null;
  /** It was sent, or is being sent. */
  isSent: boolean;
}

/** Reads the answers to the deliveries of an attempt at a scenario. */
export const readAnswers = manyRows<[attemptId: string], Answer>({
  name: 'read-answers-of-attempt',
  text: `SELECT event_id AS "eventId", forged_id AS "forgedId", status,
      ended_at IS NOT NULL OR due_at > now() AS "isSent"
    FROM sandbox_deliveries WHERE attempt_id = $1 ORDER BY delivery_id`,
});

/** Removes one batch of ordered deliveries that were made, and of those whose event or endpoint is gone. Returns how many. */
export const sweepOrdered = countRows<[atMost: number]>({
  name: 'sweep-ordered-deliveries',
  text: `DELETE FROM sandbox_deliveries WHERE delivery_id = ANY (ARRAY(
      SELECT delivery_id FROM (
        (SELECT delivery_id FROM sandbox_deliveries WHERE ended_at < now() - interval '1 day'
          ORDER BY ended_at LIMIT $1)
        UNION ALL
        (SELECT delivery_id FROM sandbox_deliveries WHERE due_at < now() - interval '1 hour'
          ORDER BY due_at LIMIT $1)) ended
      LIMIT $1))
    RETURNING delivery_id`,
});
