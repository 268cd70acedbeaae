import { noRows, rowOrNull } from '../../platform/postgres/statement-functions.ts';

/** A booking, of either kind. */
export interface TracedBooking {
  applicationId: string;
  bookingId: string;
}

/** Stores the trace in which a booking continues. */
export const writeTrace = noRows<[booking: TracedBooking, traceparent: string]>({
  name: 'remember-trace',
  // Losing a trace is harmless, so the commit does not wait for the disk.
  text: `WITH quick AS (SELECT set_config('synchronous_commit', 'off', true))
    INSERT INTO booking_traces (application_id, booking_id, traceparent)
    SELECT $1, $2, $3 FROM quick
    ON CONFLICT (application_id, booking_id) DO UPDATE SET traceparent = excluded.traceparent,
      created_at = now()`,
  values: ({ applicationId, bookingId }, traceparent) => [applicationId, bookingId, traceparent],
});

/** Reads the trace of a booking; null: there is none, or it is too old. */
export const findTrace = rowOrNull<[booking: TracedBooking], { traceparent: string }, string>({
  name: 'find-trace',
  text: 'SELECT traceparent FROM booking_traces WHERE application_id = $1 AND booking_id = $2',
  values: ({ applicationId, bookingId }) => [applicationId, bookingId],
  result: ({ traceparent }) => traceparent,
});
