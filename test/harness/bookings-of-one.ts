/** Very many bookings of one person, such as of an agency that books with its own address. */
import { randomUUID } from 'node:crypto';
import { emptyContent, fillDatabase } from '../../bench/fill.ts';
import { digestGuests } from '../../src/bookings/store/guest-digests.ts';
import { sealContext } from '../../src/bookings/store/booking-row.ts';
import type { Guest } from '../../src/contract/partner/schemas/checkout.ts';
import { guest } from './partner.ts';
import type { TestDatabase } from './postgres.ts';
import { sql } from './rows.ts';

/** Writes bookings of a new application, all with one guest and their stays over. Returns how many there are. */
export async function bookingsOfOne(
  { database }: TestDatabase,
  { wanted, ...of }: Pick<Guest, 'email'> & { wanted: number },
): Promise<number> {
  const person: Guest = { ...guest(), ...of };
  const applicationId = randomUUID();
  await sql(
    database,
    `WITH a AS (INSERT INTO applications (application_id, name, settlement, grants, read_per_minute,
        search_per_minute, write_per_minute, signal_per_minute, catalog_id)
      SELECT $1, 'agency', 'partner', '{}', 1, 1, 1, 1, catalog_id FROM catalogs RETURNING application_id)
    INSERT INTO event_counters SELECT application_id FROM a`,
    [applicationId],
  );
  const client = await database.connect();
  await fillDatabase([client], { applicationId, bookings: wanted, ...emptyContent });
  await client.end();
  await sql(
    database,
    `UPDATE reservations SET check_in = '2026-01-02', check_out = '2026-01-04' WHERE application_id = $1`,
    [applicationId],
  );
  const rows = await sql<{ bookingId: string }>(
    database,
    'SELECT booking_id AS "bookingId" FROM bookings WHERE application_id = $1',
    [applicationId],
  );
  const sealed = rows.map(({ bookingId }) =>
    database.vault.seal('guest', JSON.stringify(person), sealContext({ applicationId, bookingId })),
  );
  await sql(
    database,
    `UPDATE bookings b SET guest_sealed = s.sealed, guest_removed_at = NULL
      FROM unnest($2::uuid[], $3::bytea[]) AS s (booking_id, sealed)
      WHERE b.booking_id = s.booking_id AND b.application_id = $1`,
    [applicationId, rows.map(({ bookingId }) => bookingId), sealed],
  );
  while ((await digestGuests(database, 1_000)) > 0);
  return rows.length;
}
