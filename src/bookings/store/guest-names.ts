import { columnsOf } from '../../platform/postgres/columns.ts';
import type { Executor, Statement } from '../../platform/postgres/database.ts';
import type { Guest } from '../../contract/partner/schemas/checkout.ts';
import { type BookingRow, readableGuest, type SealedGuest } from './booking-row.ts';

const statement: Statement = {
  name: 'read-guest-names',
  text: `SELECT b.application_id, b.booking_id, b.guest_sealed FROM bookings b
    JOIN unnest($1::uuid[], $2::uuid[]) AS named (application_id, booking_id)
      ON b.booking_id = named.booking_id AND b.application_id = named.application_id
    WHERE b.kind = $3 AND b.guest_sealed IS NOT NULL`,
};

/** Reads the guests of checkouts, or of requests, by their ID; null: it cannot be read; absent: removed. */
export async function readGuests(
  executor: Executor,
  bookings: readonly { applicationId: string; checkoutId: string }[],
  kind: BookingRow['kind'] = 'checkout',
): Promise<Map<string, Guest | null>> {
  if (bookings.length === 0) return new Map();
  const rows = await executor.query<SealedGuest>(statement, [
    ...columnsOf(bookings, 'applicationId', 'checkoutId'),
    kind,
  ]);
  return new Map(rows.map((row) => [row.booking_id, readableGuest(executor, row)]));
}

const ofReservationsStatement: Statement = {
  name: 'read-guests-of-reservations',
  text: `SELECT r.reference, r.application_id, r.booking_id, b.guest_sealed
    FROM unnest($1::text[]) AS named (reference)
    CROSS JOIN LATERAL (SELECT reference, application_id, booking_id, kind FROM reservations
      WHERE reference = named.reference OFFSET 0) r
    CROSS JOIN LATERAL (SELECT guest_sealed FROM bookings WHERE booking_id = r.booking_id
      AND application_id = r.application_id AND kind = r.kind OFFSET 0) b`,
};

/** Reads the guests of reservations, by reference; null: removed, or it cannot be read. */
export async function readGuestsOfReservations(
  executor: Executor,
  references: readonly string[],
): Promise<Map<string, Guest | null>> {
  if (references.length === 0) return new Map();
  const values = [[...new Set(references)]];
  const rows = await executor.query<SealedGuest & { reference: string }>(
    ofReservationsStatement,
    values,
  );
  return new Map(rows.map((row) => [row.reference, readableGuest(executor, row)]));
}

/** A guest as rows show one: name and phone; null: removed, or it cannot be read. */
export const namedGuest = (guest: Guest | null | undefined) => ({
  guest: guest ? `${guest.firstName} ${guest.lastName}`.trim() : null,
  phone: guest?.phone ?? null,
});
