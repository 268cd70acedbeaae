/** Digests of guests that an earlier master key has made. */
import { columnsOf } from '../../platform/postgres/columns.ts';
import type { Executor, Statement } from '../../platform/postgres/database.ts';
import { openGuest, readableGuest, type BookingRow, type SealedGuest } from './booking-row.ts';
import { emailDigest } from './guest-digests.ts';

const atOnce = 200;

function isOutdated(executor: Executor, row: SealedGuest & { digest: Buffer | null }): boolean {
  // Who cannot be decrypted keeps the digests: nobody can make them again.
  const guest = readableGuest(executor, row);
  return (
    guest !== null && row.digest !== null && !emailDigest(executor.vault, guest).equals(row.digest)
  );
}

const guestsStatement: Statement = {
  name: 'list-guest-digests',
  text: `SELECT d.booking_id, d.application_id, d.kind, d.email AS digest, b.guest_sealed
    FROM (
      SELECT * FROM guest_digests WHERE (booking_id, application_id, kind) > ($1::uuid, $2::uuid, $3::text)
      ORDER BY booking_id, application_id, kind LIMIT $4) d
    CROSS JOIN LATERAL (
      SELECT guest_sealed FROM bookings WHERE booking_id = d.booking_id AND application_id = d.application_id
        AND kind = d.kind OFFSET 0) b
    ORDER BY d.booking_id, d.application_id, d.kind`,
};

const forgetStatement: Statement = {
  name: 'forget-guest-digests',
  // `IS NOT DISTINCT FROM`: always by the key, never by the index of addresses.
  text: `UPDATE guest_digests d SET email = NULL, phone = NULL, name = NULL, last_name = NULL, words = NULL, digested = false,
      generation = d.generation + 1
    FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::bytea[]) AS old (booking_id, application_id, kind, digest)
    WHERE d.booking_id = old.booking_id AND d.application_id = old.application_id AND d.kind = old.kind
      AND d.email IS NOT DISTINCT FROM old.digest`,
};

const firstId = '00000000-0000-0000-0000-000000000000';

type DigestRow = SealedGuest & Pick<BookingRow, 'kind'> & { digest: Buffer | null };

/** Every guest with the digest of its address, in batches. */
async function* digestedGuests(executor: Executor): AsyncGenerator<DigestRow[]> {
  let after = [firstId, firstId, ''];
  for (;;) {
    const rows = await executor.query<DigestRow>(guestsStatement, [...after, atOnce]);
    yield rows;
    const last = rows.at(-1);
    if (!last || rows.length < atOnce) return;
    after = [last.booking_id, last.application_id, last.kind];
  }
}

/** Forgets the digests of guests that the first master key has not made: they are made again. Returns how many. */
export async function digestGuestsAgain(executor: Executor): Promise<number> {
  let outdated = 0;
  for await (const rows of digestedGuests(executor)) {
    const old = rows.filter((row) => isOutdated(executor, row));
    await executor.query(
      forgetStatement,
      columnsOf(old, 'booking_id', 'application_id', 'kind', 'digest'),
    );
    outdated += old.length;
  }
  return outdated;
}

/** The booking of an address, with the digest by which it was looked for. */
export interface BookingOfAddress {
  booking: { applicationId: string; bookingId: string; kind: BookingRow['kind'] };
  digest: string;
}

/**
 * Finds the bookings of addresses by digests in hex that any of the master keys has made. It opens every guest: a digest
 * of one key cannot be compared with that of another.
 */
export async function findByDigests(
  executor: Executor,
  digests: ReadonlySet<string>,
): Promise<BookingOfAddress[]> {
  const found: BookingOfAddress[] = [];
  for await (const rows of digestedGuests(executor)) {
    for (const row of rows) {
      const guest = readableGuest(executor, row);
      const made = guest ? executor.vault.keys.map((key) => emailDigest(key, guest)) : [];
      const digest = made.map((one) => one.toString('hex')).find((one) => digests.has(one));
      if (digest === undefined) continue;
      const { application_id: applicationId, booking_id: bookingId, kind } = row;
      found.push({ booking: { applicationId, bookingId, kind }, digest });
    }
  }
  return found;
}

const reservationsStatement: Statement = {
  name: 'list-email-digests',
  text: `SELECT r.reference, b.application_id, b.booking_id, b.guest_sealed, r.guest_email_digest AS digest
    FROM (
      SELECT * FROM reservations WHERE reference > $1 ORDER BY reference LIMIT $2) r
    CROSS JOIN LATERAL (
      SELECT * FROM bookings WHERE booking_id = r.booking_id AND application_id = r.application_id
        AND kind = r.kind OFFSET 0) b
    ORDER BY r.reference`,
};

const emailsStatement: Statement = {
  name: 'rewrite-email-digests',
  text: `UPDATE reservations r SET guest_email_digest = made.digest
    FROM unnest($1::text[], $2::bytea[], $3::bytea[]) AS made (reference, before, digest)
    WHERE r.reference = made.reference AND r.guest_email_digest = made.before`,
};

/** Makes the digests of reservations with the first master key. Returns how many it has changed. */
export async function digestReservationsAgain(executor: Executor): Promise<number> {
  let changed = 0;
  let after = '';
  for (;;) {
    type Row = SealedGuest & { reference: string; digest: Buffer | null };
    const rows = await executor.query<Row>(reservationsStatement, [after, atOnce]);
    const old = rows.filter((row) => isOutdated(executor, row));
    await executor.query(emailsStatement, [
      ...columnsOf(old, 'reference', 'digest'),
      old.map((row) => emailDigest(executor.vault, openGuest(executor, row))),
    ]);
    changed += old.length;
    if (rows.length < atOnce) return changed;
    after = rows.at(-1)!.reference;
  }
}
