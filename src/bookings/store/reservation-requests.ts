import { maxUuid } from '../../platform/uuid.ts';
import type { ReservationRequest } from '../rules/booking.ts';
import { type EpochMs, instant } from '../../contract/time.ts';
import { bookingColumns, bookingOf, quoteOfBooking, type BookingRow } from './booking-row.ts';
import type { Executor, Statement } from '../../platform/postgres/database.ts';

const findRequestStatement: Statement = {
  name: 'find-request',
  text: `SELECT ${bookingColumns} FROM bookings b
    ${quoteOfBooking}
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

// Only requests have a partner reference, so `kind` is not compared.
const byReferenceStatement: Statement = {
  name: 'find-request-by-reference',
  text: `SELECT ${bookingColumns} FROM bookings b
    ${quoteOfBooking}
    WHERE b.application_id = $1 AND b.partner_reference = $2`,
};

/** Reads the request with a partner reference; it is unique per application. */
export async function findRequestByReference(
  executor: Executor,
  applicationId: string,
  partnerReference: string,
): Promise<ReservationRequest | undefined> {
  const values = [applicationId, partnerReference];
  const [row] = await executor.query<BookingRow>(byReferenceStatement, values);
  return row && (bookingOf(executor, row) as ReservationRequest);
}

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
