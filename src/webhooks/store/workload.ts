import { theRow } from '../../platform/postgres/statement-functions.ts';

/** What the webhooks of all endpoints wait for. */
export interface WebhookWorkload {
  /** Endpoints that are not deleted, by state. */
  active: number;
  paused: number;
  disabled: number;
  /** Active endpoints whose latest attempts have failed. */
  failing: number;
  /** Events without a delivery yet, over all active endpoints. */
  eventsBehind: number;
  /** How long the oldest due delivery has been waiting, in seconds. 0: none is due. */
  oldestDueSeconds: number;
}

/** Reads the workload of webhooks: one probe of an index for each endpoint. */
export const readWebhookWorkload = theRow<[], WebhookWorkload>({
  name: 'webhook-workload',
  text: `SELECT
      count(*) FILTER (WHERE e.state = 'active') AS active,
      count(*) FILTER (WHERE e.state = 'paused') AS paused,
      count(*) FILTER (WHERE e.state = 'disabled') AS disabled,
      count(*) FILTER (WHERE e.state = 'active' AND e.failing_since IS NOT NULL) AS failing,
      coalesce(sum(greatest(c.last_sequence - e.fanned_out_to, 0))
        FILTER (WHERE e.state = 'active'), 0)::bigint AS "eventsBehind",
      coalesce(extract(epoch FROM now() - min(due.due_at) FILTER (WHERE e.state = 'active')), 0)::float8
        AS "oldestDueSeconds"
    FROM webhook_endpoints e
    JOIN event_counters c USING (application_id)
    LEFT JOIN LATERAL (
      SELECT d.due_at FROM webhook_deliveries d
      WHERE d.endpoint_id = e.endpoint_id AND d.state = 'pending' AND NOT d.leased
        AND d.due_at <= now()
      ORDER BY d.due_at LIMIT 1) due ON true
    WHERE e.deleted_at IS NULL`,
});
