import { hasRow } from '../../platform/postgres/statement-functions.ts';

/** Whether an application has an event. */
export const hasEvent = hasRow<[applicationId: string, eventId: string]>({
  name: 'sandbox-find-event',
  text: `SELECT FROM (SELECT application_id FROM events WHERE event_id = $2 OFFSET 0) e
    WHERE application_id = $1`,
});
