import type { EpochMs, ReservationRequest } from '../domain/booking.ts';
import { bookingColumns, bookingOf, type BookingRow } from './booking-row.ts';
import { instantOrNull, type Executor, type Statement } from './database.ts';

const findRequestStatement: Statement = {
  name: 'find-request',
  text: `SELECT ${bookingColumns} FROM bookings b
    JOIN quotes q ON q.application_id = b.application_id AND q.quote_id = b.quote_id
    WHERE b.application_id = $1 AND b.kind = 'request' AND b.booking_id = $2`,
};

/** Reads a reservation request by its ID. */
export async function findRequest(
  executor: Executor,
  applicationId: string,
  requestId: string,
): Promise<ReservationRequest | undefined> {
  const [row] = await executor.query<BookingRow>(findRequestStatement, [applicationId, requestId]);
  return row && (bookingOf(executor, row) as ReservationRequest);
}

const listRequestsStatement: Statement = {
  name: 'list-requests',
  text: `SELECT ${bookingColumns} FROM bookings b
    JOIN quotes q ON q.application_id = b.application_id AND q.quote_id = b.quote_id
    WHERE b.application_id = $1 AND b.kind = 'request'
      AND ($2::text IS NULL OR b.partner_reference = $2)
      AND ($3::timestamptz IS NULL OR (b.created_at, b.booking_id) < ($3, $4))
    ORDER BY b.created_at DESC, b.booking_id DESC LIMIT $5`,
};

/** Requests newest first, after the one at which the last page ended. */
export async function listRequests(
  executor: Executor,
  applicationId: string,
  page: {
    partnerReference: string | undefined;
    after: { createdAt: EpochMs; requestId: string } | null;
    atMost: number;
  },
): Promise<ReservationRequest[]> {
  const rows = await executor.query<BookingRow>(listRequestsStatement, [
    applicationId,
    page.partnerReference,
    instantOrNull(page.after?.createdAt ?? null),
    page.after?.requestId,
    page.atMost,
  ]);
  return rows.map((row) => bookingOf(executor, row) as ReservationRequest);
}
