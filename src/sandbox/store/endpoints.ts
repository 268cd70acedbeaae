import type { Executor, Statement } from '../../platform/postgres/database.ts';

const activeStatement: Statement = {
  name: 'has-active-endpoint',
  text: `SELECT FROM webhook_endpoints
    WHERE application_id = $1 AND state = 'active' AND deleted_at IS NULL LIMIT 1`,
};

/** Whether an application has an active endpoint. */
export const hasActiveEndpoint = async (
  executor: Executor,
  applicationId: string,
): Promise<boolean> => (await executor.query(activeStatement, [applicationId])).length > 0;
