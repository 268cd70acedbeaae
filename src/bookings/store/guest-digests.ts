/** Digests by which staff find the reservations of a guest, whose data is sealed. */
import type { Guest } from '../../contract/partner/schemas/checkout.ts';
import type { Executor, Statement } from '../../platform/postgres/database.ts';
import type { Vault } from '../../platform/vault.ts';
import { openGuest, type BookingRow } from './booking-row.ts';

const noGuest = Buffer.alloc(0);

/** The keyed digest of a guest's email, 32 bytes; case does not matter. Empty: there is no guest. */
export const emailDigest = (vault: Vault, guest: Pick<Guest, 'email'> | null): Buffer =>
  guest ? vault.mac('guest-email', guest.email.trim().toLowerCase()) : noGuest;

const findStatement: Statement = {
  name: 'find-reservations-without-email-digest',
  text: `SELECT r.reference, b.application_id, b.booking_id, b.guest_sealed
    FROM (
      SELECT reference, application_id, kind, booking_id FROM reservations
      WHERE guest_email_digest IS NULL ORDER BY confirmed_at LIMIT $1) r
    CROSS JOIN LATERAL (
      SELECT application_id, booking_id, guest_sealed FROM bookings
      WHERE booking_id = r.booking_id AND application_id = r.application_id AND kind = r.kind OFFSET 0) b`,
};

// Locked in one order, so that two processes do not deadlock; each skips rows that the other has locked.
const writeStatement: Statement = {
  name: 'write-email-digests',
  text: `WITH locked AS (
      SELECT reference FROM reservations
      WHERE reference = ANY ($1::text[]) AND guest_email_digest IS NULL
      ORDER BY reference FOR NO KEY UPDATE SKIP LOCKED
    )
    UPDATE reservations r SET guest_email_digest = d.digest
    FROM locked JOIN unnest($1::text[], $2::bytea[]) d (reference, digest) USING (reference)
    WHERE r.reference = locked.reference`,
};

type UndigestedRow = Pick<BookingRow, 'application_id' | 'booking_id' | 'guest_sealed'> & {
  reference: string;
};

/** Writes the digests of one batch of reservations that an earlier version has made. Returns how many. */
export async function digestGuestEmails(executor: Executor, atMost: number): Promise<number> {
  const rows = await executor.query<UndigestedRow>(findStatement, [atMost]);
  if (rows.length === 0) return 0;
  const digests = rows.map((row) => emailDigest(executor.vault, openGuest(executor, row)));
  await executor.query(writeStatement, [rows.map(({ reference }) => reference), digests]);
  return rows.length;
}
