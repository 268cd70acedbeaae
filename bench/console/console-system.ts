/** A service with an operator's homes and a year of stays, for measurements of the console. */
import { setTimeout as sleep } from 'node:timers/promises';
import { operatorOf } from '../../test/harness/operator.ts';
import { sql } from '../../test/harness/rows.ts';
import { startBenchSystem, type BenchPartner, type BenchSystem } from '../bench-system.ts';
import { BookingClient } from '../booking.ts';
import { fillDatabase } from '../fill.ts';
import { importHomes } from '../nights.ts';

/** The service, and what stands for the parameters of the pages. */
export interface ConsoleSystem {
  system: BenchSystem;
  origin: string;
  reference: string;
  checkoutId: string;
  applicationId: string;
  listing: string;
}

// Of the bookings that are filled, 18 of 20 are reservations.
const confirmedShare = 18 / 20;

/**
 * Gives each home but that of the real booking an equal share of the filled reservations, from two months ago on, and takes their nights.
 * Stays of 3 to 14 nights begin every four weeks, up to nine days later, so none overlap.
 */
const staysText = `
  ALTER TABLE reservations DISABLE TRIGGER USER;
  UPDATE reservations r SET listing_id = p.listing_id, check_in = p.first, check_out = p.first + p.length
  FROM (
    SELECT reference, h.listing_id, 3 + n % 12 AS length,
      current_date - 60 + (n / h.homes * 28 + (n * 7) % 10)::integer AS first
    FROM (SELECT reference, row_number() OVER (ORDER BY confirmed_at)::integer AS n FROM reservations
      WHERE booking_id IN (SELECT booking_id FROM bookings WHERE application_id = 'APPLICATION')) filled
    JOIN (SELECT listing_id, row_number() OVER (ORDER BY position, listing_id)::integer AS ordinal,
        count(*) OVER ()::integer AS homes FROM catalog_listings
      WHERE listing_id NOT IN (SELECT listing_id FROM occupancies)) h
      ON h.ordinal = 1 + filled.n % h.homes
  ) p WHERE r.reference = p.reference;
  ALTER TABLE reservations ENABLE TRIGGER USER;
  ALTER TABLE occupancies DROP CONSTRAINT occupancies_never_overlap;
  INSERT INTO occupancies (listing_id, nights, kind, application_id, booking_kind, booking_id, reference)
    SELECT listing_id, daterange(check_in, check_out), 'confirmed', application_id, kind, booking_id, reference
    FROM reservations WHERE application_id = 'APPLICATION';
  ALTER TABLE occupancies ADD CONSTRAINT occupancies_never_overlap
    EXCLUDE USING gist (listing_id WITH =, nights WITH &&);`;

/** A real booking; the content of its quote is that of all filled rows. */
async function bookOnce(system: BenchSystem, partner: BenchPartner) {
  const client = await BookingClient.open(system.service.port, partner);
  await client.book(await client.freeStay());
  client.close();
  const [made] = await sql<{ reference: string; checkoutId: string }>(
    system.database,
    'SELECT reference, booking_id AS "checkoutId" FROM reservations',
  );
  return made!;
}

async function fillStays(system: BenchSystem, stays: number): Promise<void> {
  const { applicationId } = await system.partner();
  const [quote] = await sql<{ listingId: string; party: string; charges: string; terms: string }>(
    system.database,
    `SELECT listing_id AS "listingId", party::text, charges::text, terms::text FROM quotes LIMIT 1`,
  );
  const client = await system.database.connect();
  try {
    await client.query('SET synchronous_commit = off; SET enable_seqscan = on');
    const bookings = Math.ceil(stays / confirmedShare);
    const { listingId, ...content } = quote!;
    await fillDatabase([client], { applicationId, bookings, homes: [listingId], quote: content });
    await client.query(staysText.replaceAll('APPLICATION', applicationId));
    await client.query(
      `INSERT INTO audit_entries (actor, action, application_id, details, source)
        SELECT 'cli:bench', 'application.set-quotas', $1, '{}', 'cli' FROM generate_series(1, $2::integer)`,
      [applicationId, stays],
    );
    await client.query('VACUUM (ANALYZE)');
  } finally {
    await client.end();
  }
}

/** Waits until the service knows all homes: it follows the catalog that another process has imported. */
async function untilListed(
  origin: string,
  { database }: BenchSystem,
  homes: number,
): Promise<string> {
  const operator = await operatorOf({ origin, database });
  for (;;) {
    const { items, total } = await operator.done('operator.listing.list', { query: { limit: 1 } });
    if (total === homes) return items[0]!.slug;
    await sleep(200);
  }
}

async function fill(system: BenchSystem, homes: number, stays: number): Promise<ConsoleSystem> {
  const origin = `http://127.0.0.1:${system.service.port}`;
  await importHomes(system.database, system.dataDir, homes);
  const listing = await untilListed(origin, system, homes);
  const partner = await system.partner();
  const booked = await bookOnce(system, partner);
  await fillStays(system, stays);
  return { system, origin, listing, applicationId: partner.applicationId, ...booked };
}

/** Starts a service with this number of homes and reservations. */
export async function openConsoleSystem(homes: number, stays: number): Promise<ConsoleSystem> {
  const system = await startBenchSystem({ LATCHKEY_ENVIRONMENT: 'test' });
  try {
    return await fill(system, homes, stays);
  } catch (thrown) {
    await system.close();
    throw thrown;
  }
}
