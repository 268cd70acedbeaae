import type { Executor, Statement } from '../../platform/postgres/database.ts';

/** A booking, of either kind. */
export interface TracedBooking {
  applicationId: string;
  bookingId: string;
}

// Losing a trace is harmless, so the commit does not wait for the disk.
const rememberStatement: Statement = {
  name: 'remember-trace',
  text: `WITH quick AS (SELECT set_config('synchronous_commit', 'off', true))
    INSERT INTO booking_traces (application_id, booking_id, traceparent)
    SELECT $1, $2, $3 FROM quick
    ON CONFLICT (application_id, booking_id) DO UPDATE SET traceparent = excluded.traceparent,
      created_at = now()`,
};

/** Stores the trace in which a booking continues. */
export async function writeTrace(
  executor: Executor,
  { applicationId, bookingId }: TracedBooking,
  traceparent: string,
): Promise<void> {
  await executor.query(rememberStatement, [applicationId, bookingId, traceparent]);
}

const findStatement: Statement = {
  name: 'find-trace',
  text: 'SELECT traceparent FROM booking_traces WHERE application_id = $1 AND booking_id = $2',
};

/** Reads the trace of a booking; null: there is none, or it is too old. */
export async function findTrace(
  executor: Executor,
  { applicationId, bookingId }: TracedBooking,
): Promise<string | null> {
  const [row] = await executor.query<{ traceparent: string }>(findStatement, [
    applicationId,
    bookingId,
  ]);
  return row?.traceparent ?? null;
}
