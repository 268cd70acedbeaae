import { hasRow } from '../../platform/postgres/statement-functions.ts';

/** Whether an application has an active endpoint. */
export const hasActiveEndpoint = hasRow<[applicationId: string]>({
  name: 'has-active-endpoint',
  text: `SELECT FROM webhook_endpoints
    WHERE application_id = $1 AND state = 'active' AND deleted_at IS NULL LIMIT 1`,
});
