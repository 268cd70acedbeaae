/** Compares a database with a year of bookings to one with few. Each has its own service. */
import { randomUUID } from 'node:crypto';
import { writeCursor } from '../../src/access/cursor.ts';
import { sweepAbandonedCheckouts } from '../../src/bookings/store/abandoned-bookings.ts';
import { claimDueBookings } from '../../src/bookings/store/booking-claims.ts';
import { sweepEvents } from '../../src/events/store/events.ts';
import { sweepQuotes } from '../../src/bookings/store/quotes.ts';
import { BookingClient } from '../booking.ts';
import { fillDatabase } from '../fill.ts';
import { requestBytes } from '../http-client.ts';
import { perSecond, requestsPerSecond } from '../load.ts';
import type { Measure } from '../measure.ts';
import { startBenchSystem, type BenchPartner, type BenchSystem } from '../bench-system.ts';

/** The number of bookings in the large database, and the time limit to write them. */
export const growth = { bookings: 10_000_000, withinMinutes: 10 };

const fewBookings = 1_000;
const inFlight = 16;
const secondsPerRound = 3;
const halfAYearMs = 183 * 86_400_000;

interface Filled {
  system: BenchSystem;
  partner: BenchPartner;
}

const statement = (text: string) => ({ name: '', text });

interface TableSize {
  name: string;
  /** Bytes of the rows, also of those stored apart, and of all indexes. */
  rows: number;
  indexes: number;
}

const sizesStatement = statement(
  `SELECT relname AS name, pg_table_size(oid) AS rows, pg_indexes_size(oid) AS indexes
    FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
    ORDER BY pg_total_relation_size(oid) DESC LIMIT 8`,
);

async function openFilled(bookings: number): Promise<Filled> {
  const system = await startBenchSystem();
  const partner = await system.partner();
  const booker = await BookingClient.open(system.service.port, partner);
  await booker.book(await booker.freeStay());
  booker.close();
  const [quote] = await system.database.query<{
    listingId: string;
    party: string;
    charges: string;
    terms: string;
  }>(
    statement(`SELECT listing_id AS "listingId", party::text, charges::text, terms::text FROM quotes
      WHERE application_id = (SELECT application_id FROM bookings LIMIT 1) LIMIT 1`),
  );
  const filled = await system.partner();
  const client = await system.database.connect();
  try {
    // Without these constraints the fill is faster; NOT VALID restores them for new rows only.
    await client.query(`ALTER TABLE bookings DROP CONSTRAINT bookings_quote_id_application_id_fkey;
      ALTER TABLE reservations DROP CONSTRAINT reservations_booking_id_application_id_kind_fkey;
      SET synchronous_commit = off`);
    const began = performance.now();
    const { applicationId } = filled;
    const written = await fillDatabase(
      client,
      { applicationId, bookings, quote: quote! },
      growth.withinMinutes * 60_000,
    );
    await client.query(`ALTER TABLE bookings ADD CONSTRAINT bookings_quote_id_application_id_fkey
        FOREIGN KEY (quote_id, application_id) REFERENCES quotes NOT VALID;
      ALTER TABLE reservations ADD CONSTRAINT reservations_booking_id_application_id_kind_fkey
        FOREIGN KEY (booking_id, application_id, kind) REFERENCES bookings NOT VALID`);
    await client.query('VACUUM (ANALYZE)');
    const seconds = Math.round((performance.now() - began) / 1_000);
    process.stderr.write(`filled with ${written} bookings in ${seconds} s\n`);
    for (const { name, rows, indexes } of await system.database.query<TableSize>(sizesStatement)) {
      const each = [rows, indexes].map((bytes) => (bytes / written).toFixed(0));
      process.stderr.write(`  ${name}: ${each[0]} bytes a booking, and ${each[1]} in indexes\n`);
    }
  } finally {
    await client.end();
  }
  return { system, partner: filled };
}

let opened: Promise<{ few: Filled; many: Filled }> | undefined;

async function openBoth(): Promise<{ few: Filled; many: Filled }> {
  const few = await openFilled(fewBookings);
  return { few, many: await openFilled(growth.bookings) };
}

/** Stops both services and deletes their databases. */
export async function closeGrowth(): Promise<void> {
  const both = await opened;
  opened = undefined;
  await both?.few.system.close();
  await both?.many.system.close();
}

type Rate = (filled: Filled, round: number) => Promise<number>;

/** Measures the same rate on both databases, one directly after the other. */
const onBoth =
  (prepare: (filled: Filled) => Promise<Rate>): Measure['run'] =>
  async (rounds, onRound) => {
    opened ??= openBoth();
    const { few, many } = await opened;
    const floor = await prepare(few);
    const figure = await prepare(many);
    // Warms up both before the first round.
    await floor(few, 0);
    await figure(many, 0);
    for (let round = 1; round <= rounds; round += 1) {
      onRound({ floor: await floor(few, round), figure: await figure(many, round) });
    }
  };

const reads = (pathOf: (filled: Filled) => string): Measure['run'] =>
  onBoth(async () => async (filled) => {
    const headers = { authorization: `Bearer ${filled.partner.token}` };
    const request = requestBytes('GET', pathOf(filled), headers);
    return requestsPerSecond(filled.system.service.port, request, inFlight, secondsPerRound);
  });

/** The first page of the feed. */
export const measureFeed = reads(() => '/v1/events?limit=50');

/** A page in the middle of the list of requests. */
export const measureRequests = reads(({ system, partner: { applicationId } }) => {
  const owner = {
    operation: 'reservation.reservationRequest.list',
    applicationId,
    filters: {},
  } as const;
  const position = `${Date.now() - halfAYearMs} ${randomUUID()}`;
  const cursor = writeCursor(system.database.vault, owner, position);
  return `/v1/reservation-requests?limit=50&cursor=${cursor}`;
});

/** Claims due bookings; none is due. */
export const measureClaim: Measure['run'] = onBoth(async () => ({ system: { database } }) => {
  const look = async (): Promise<void> => void (await claimDueBookings(database, 32, 15));
  return perSecond(1, secondsPerRound, look);
});

const sweptPerRound = 2_000;
const batchSize = 500;

/** Writes rows that are due for a sweep: events, unused quotes and abandoned checkouts. */
async function writeOld({ system, partner }: Filled, round: number): Promise<void> {
  const quotes = `INSERT INTO quotes
    SELECT application_id, gen_random_uuid(), '\\x00', listing_id, check_in, check_out, party, charges,
      terms, expires_at, expires_at
    FROM (SELECT *, now() - interval '30 days 1 hour' + make_interval(secs => $1 * 60 + n * 0.01) AS expires_at
      FROM (SELECT application_id, listing_id, check_in, check_out, party, charges, terms FROM quotes
        WHERE application_id = $2 LIMIT 1) one, generate_series(1, $3) n) q
    RETURNING application_id, quote_id, expires_at`;
  const values = [round, partner.applicationId, sweptPerRound];
  const client = await system.database.connect();
  try {
    await client.query(`WITH q AS (${quotes}) SELECT count(*) FROM q`, values);
    await client.query(
      `WITH q AS (${quotes})
        INSERT INTO bookings (application_id, kind, booking_id, quote_id, input_digest, settlement,
          version, state, session_nonce, session_expires_at, created_at, updated_at)
        SELECT application_id, 'checkout', quote_id, quote_id, '\\x00', 'partner', 1, 'needs_guest',
          '\\x00', now(), expires_at, expires_at FROM q`,
      values,
    );
    await client.query(
      `INSERT INTO events (application_id, sequence, type, data, created_at)
        SELECT $2, -($1 * $3 + n), 'checkout.resolved', '{}', now() - interval '31 days'
        FROM generate_series(1, $3) n`,
      values,
    );
  } finally {
    await client.end();
  }
}

/** Sweeps until nothing is due. */
export const measureSweep: Measure['run'] = onBoth(async () => async (filled, round) => {
  const { database } = filled.system;
  await writeOld(filled, round);
  const began = performance.now();
  let swept = 0;
  for (const sweep of [sweepEvents, sweepQuotes, sweepAbandonedCheckouts]) {
    for (let rows = batchSize; rows >= batchSize; swept += rows)
      rows = await sweep(database, 30, batchSize);
  }
  return swept / ((performance.now() - began) / 1_000);
});

/** Complete bookings of the application that owns all filled rows. */
export const measureGrownBookings: Measure['run'] = onBoth(async ({ system, partner }) => {
  const clients = await Promise.all(
    Array.from({ length: inFlight }, () => BookingClient.open(system.service.port, partner)),
  );
  const stay = await clients[0]!.freeStay();
  return () => perSecond(inFlight, secondsPerRound, (worker) => clients[worker]!.book(stay));
});
