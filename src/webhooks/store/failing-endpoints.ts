import type { EpochMs } from '../../contract/time.ts';
import { manyRows } from '../../platform/postgres/statement-functions.ts';
import type { WebhookEndpointState, WebhookStateReason } from './endpoints.ts';

/** An endpoint that does not accept its deliveries, or was stopped for that reason. */
export interface FailingEndpoint {
  endpointId: string;
  applicationId: string;
  application: string;
  url: string;
  state: WebhookEndpointState;
  stateReason: WebhookStateReason | null;
  /** Since when it fails; null: it was stopped. */
  failingSince: EpochMs | null;
}

/** Lists endpoints that fail, of all applications. */
export const listFailingEndpoints = manyRows<[atMost: number], FailingEndpoint>({
  name: 'list-failing-endpoints',
  // There are few endpoints for each application.
  text: `SELECT e.endpoint_id AS "endpointId", e.application_id AS "applicationId", a.name AS application,
      e.url, e.state, e.state_reason AS "stateReason", e.failing_since AS "failingSince"
    FROM webhook_endpoints e JOIN applications a ON a.application_id = e.application_id
    WHERE e.deleted_at IS NULL AND (e.failing_since IS NOT NULL OR e.state_reason IN ('failing', 'gone'))
    ORDER BY a.name, e.created_at, e.endpoint_id LIMIT $1`,
});
