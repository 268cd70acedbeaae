import type { Executor, Statement } from '../../platform/postgres/database.ts';
import type { Guest } from '../../contract/partner/schemas/checkout.ts';
import { type BookingRow, openGuest } from './booking-row.ts';

const statement: Statement = {
  name: 'read-guest-names',
  text: `SELECT b.application_id, b.booking_id, b.guest_sealed FROM bookings b
    JOIN unnest($1::uuid[], $2::uuid[]) AS named (application_id, booking_id)
      ON b.booking_id = named.booking_id AND b.application_id = named.application_id
    WHERE b.kind = 'checkout' AND b.guest_sealed IS NOT NULL`,
};

type Row = Pick<BookingRow, 'application_id' | 'booking_id' | 'guest_sealed'>;

// If one guest cannot be decrypted, staff still see the others.
function opened(executor: Executor, row: Row): Guest | null {
  try {
    return openGuest(executor, row);
  } catch {
    return null;
  }
}

/** Reads the guests of checkouts, by the ID of the checkout; null: removed, or it cannot be read. */
export async function readGuests(
  executor: Executor,
  checkouts: readonly { applicationId: string; checkoutId: string }[],
): Promise<Map<string, Guest | null>> {
  if (checkouts.length === 0) return new Map();
  const rows = await executor.query<Row>(statement, [
    checkouts.map(({ applicationId }) => applicationId),
    checkouts.map(({ checkoutId }) => checkoutId),
  ]);
  return new Map(rows.map((row) => [row.booking_id, opened(executor, row)]));
}

/** A guest as rows show one: name and phone; null: removed, or it cannot be read. */
export const namedGuest = (guest: Guest | null | undefined) => ({
  guest: guest ? `${guest.firstName} ${guest.lastName}`.trim() : null,
  phone: guest?.phone ?? null,
});
