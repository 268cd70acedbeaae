import type { Executor, Statement } from '../../platform/postgres/database.ts';

const findStatement: Statement = {
  name: 'sandbox-find-event',
  text: `SELECT FROM (SELECT application_id FROM events WHERE event_id = $2 OFFSET 0) e
    WHERE application_id = $1`,
};

/** Whether an application has an event. */
export async function hasEvent(
  executor: Executor,
  applicationId: string,
  eventId: string,
): Promise<boolean> {
  return (await executor.query(findStatement, [applicationId, eventId])).length === 1;
}
