import type { Executor, Statement } from '../../platform/postgres/database.ts';
import { type BookingRow, openGuest } from './booking-row.ts';

const statement: Statement = {
  name: 'read-guest-names',
  text: `SELECT b.application_id, b.booking_id, b.guest_sealed FROM bookings b
    JOIN unnest($1::uuid[], $2::uuid[]) AS named (application_id, booking_id)
      ON b.booking_id = named.booking_id AND b.application_id = named.application_id
    WHERE b.kind = 'checkout' AND b.guest_sealed IS NOT NULL`,
};

// If one guest cannot be decrypted, staff still see the others.
function nameOf(
  executor: Executor,
  row: Pick<BookingRow, 'application_id' | 'booking_id' | 'guest_sealed'>,
): string | null {
  try {
    const guest = openGuest(executor, row);
    return guest && `${guest.firstName} ${guest.lastName}`.trim();
  } catch {
    return null;
  }
}

/** Reads the names of the guests of checkouts, by the ID of the checkout. */
export async function readGuestNames(
  executor: Executor,
  checkouts: readonly { applicationId: string; checkoutId: string }[],
): Promise<Map<string, string | null>> {
  if (checkouts.length === 0) return new Map();
  type Row = Pick<BookingRow, 'application_id' | 'booking_id' | 'guest_sealed'>;
  const rows = await executor.query<Row>(statement, [
    checkouts.map(({ applicationId }) => applicationId),
    checkouts.map(({ checkoutId }) => checkoutId),
  ]);
  return new Map(rows.map((row) => [row.booking_id, nameOf(executor, row)]));
}
