import { maxUuid } from '../../platform/uuid.ts';
import type { ReservationRequest } from '../rules/booking.ts';
import { type EpochMs, instant } from '../../contract/time.ts';
import { bookingColumns, bookingOf, quoteOfBooking, type BookingRow } from './booking-row.ts';
import type { Executor, Statement } from '../../platform/postgres/database.ts';
import { oneRow } from '../../platform/postgres/statement-functions.ts';

/** Reads a reservation request by its ID. */
export const findRequest = oneRow<
  [applicationId: string, requestId: string],
  BookingRow,
  ReservationRequest
>({
  name: 'find-request',
  text: `SELECT ${bookingColumns} FROM bookings b
    ${quoteOfBooking}
    WHERE b.application_id = $1 AND b.kind = 'request' AND b.booking_id = $2`,
  result: (row, executor) => bookingOf(executor, row) as ReservationRequest,
});

/** Reads the request with a partner reference; it is unique per application. */
export const findRequestByReference = oneRow<
  [applicationId: string, partnerReference: string],
  BookingRow,
  ReservationRequest
>({
  name: 'find-request-by-reference',
  // Only requests have a partner reference, so `kind` is not compared.
  text: `SELECT ${bookingColumns} FROM bookings b
    ${quoteOfBooking}
    WHERE b.application_id = $1 AND b.partner_reference = $2`,
  result: (row, executor) => bookingOf(executor, row) as ReservationRequest,
});

const listRequestsStatement: Statement = {
  name: 'list-requests',
  text: `SELECT ${bookingColumns} FROM bookings b
    ${quoteOfBooking}
    WHERE b.application_id = $1 AND b.kind = 'request' AND (b.created_at, b.booking_id) < ($2, $3)
    ORDER BY b.created_at DESC, b.booking_id DESC LIMIT $4`,
};

// Sorts after every request.
const firstPage = ['infinity', maxUuid] as const;

/** The last request of a page. */
export interface RequestPosition {
  createdAt: EpochMs;
  requestId: string;
}

/** Lists requests, newest first, after the last one of the previous page. */
export async function listRequests(
  executor: Executor,
  applicationId: string,
  after: RequestPosition | null,
  atMost: number,
): Promise<ReservationRequest[]> {
  const from = after ? [instant(after.createdAt), after.requestId] : firstPage;
  const values = [applicationId, ...from, atMost];
  const rows = await executor.query<BookingRow>(listRequestsStatement, values);
  return rows.map((row) => bookingOf(executor, row) as ReservationRequest);
}
