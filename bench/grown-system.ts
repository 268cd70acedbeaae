/** A service that sells an operator's homes, with a year of their bookings. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { sql } from '../test/harness/rows.ts';
import { eventually } from '../test/harness/eventually.ts';
import { superuserOf } from '../test/harness/superuser.ts';
import { type BenchPartner, type BenchSystem, startBenchSystem, tokenOf } from './bench-system.ts';
import { BookingClient } from './booking.ts';
import { fillDatabase } from './fill.ts';
import { ownHomesTexts, reportTexts } from './fill-own-homes.ts';
import { importInventory, openInventory, type Inventory } from './inventory.ts';

/** A filled service. */
export interface GrownSystem {
  system: BenchSystem;
  /** Has all filled bookings. */
  partner: BenchPartner;
  /** Of homes without a filled booking. */
  inventory: Inventory;
}

/** What is kept in the folder of a filled service. */
type Filled = Pick<BenchPartner, 'applicationId' | 'applicationKey'>;

const ownHomes = { LATCHKEY_ENVIRONMENT: 'test' };
/** Each is booked for three nights at most once in 3.6 days, up to 10 million bookings in a year. */
const homesSold = 100_000;
const homesFree = 400;
const connections = 2;

interface TableSize {
  name: string;
  /** Bytes of the rows, also of those stored apart, and of all indexes. */
  rows: number;
  indexes: number;
}

async function printSizes(system: BenchSystem, written: number): Promise<void> {
  const sizes = await sql<TableSize>(
    system.database,
    `SELECT relname AS name, pg_table_size(oid) AS rows, pg_indexes_size(oid) AS indexes
      FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
      ORDER BY pg_total_relation_size(oid) DESC LIMIT 12`,
  );
  for (const { name, rows, indexes } of sizes) {
    const each = [rows, indexes].map((bytes) => (bytes / written).toFixed(0));
    process.stderr.write(`  ${name}: ${each[0]} bytes a booking, and ${each[1]} in indexes\n`);
  }
}

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const began = performance.now();
  const result = await work();
  process.stderr.write(`${what}: ${((performance.now() - began) / 1_000).toFixed(1)} s\n`);
  return result;
}

/** A real booking; its quote is that of all filled rows, and its guest that of some. */
async function bookOnce(system: BenchSystem, inventory: Inventory) {
  const partner = await system.partner();
  const headers = { authorization: `Bearer ${partner.token}` };
  const site = `http://127.0.0.1:${system.service.port}/v1/site`;
  // The service follows the import.
  await eventually(async () => (await fetch(site, { headers })).ok, 120_000);
  const client = await BookingClient.open(system.service.port, partner);
  await client.book(inventory.next());
  client.close();
  const digested = 'SELECT FROM guest_digests WHERE digested';
  await eventually(async () => (await sql(system.database, digested)).length > 0, 120_000);
  const [quote] = await sql<{ party: string; charges: string; terms: string }>(
    system.database,
    'SELECT party::text, charges::text, terms::text FROM quotes LIMIT 1',
  );
  return quote!;
}

/** Checkpoints would write each page of an index again and again while it is filled. */
async function configure(client: pg.Client, changes: readonly string[]): Promise<void> {
  for (const change of changes) await client.query(`ALTER SYSTEM ${change}`);
  await client.query('SELECT pg_reload_conf()');
}

async function fill(system: BenchSystem, bookings: number, withinMs: number): Promise<Filled> {
  const inventory = await timed('imported homes', () =>
    importInventory(system.database, system.dataDir, homesSold + homesFree),
  );
  const homes = await sql<{ id: string }>(
    system.database,
    `SELECT listing_id AS id FROM listings ORDER BY slug OFFSET ${homesFree}`,
  );
  const quote = await bookOnce(system, inventory);
  const { applicationId, applicationKey } = await system.partner();
  const host = path.join(system.dataDir, 'postgres');
  const settings = await superuserOf({ host, port: 5432, database: 'latchkey' });
  const clients = Array.from({ length: connections }, () => new pg.Client(settings));
  try {
    for (const client of clients) {
      await client.connect();
      await client.query('SET synchronous_commit = off; SET session_replication_role = replica');
    }
    await configure(clients[0]!, ['SET max_wal_size = 16384', 'SET full_page_writes = off']);
    const ids = homes.map(({ id }) => id);
    const content = { applicationId, bookings, homes: ids, quote };
    const written = await timed('filled', () =>
      fillDatabase(clients, content, { withinMs, more: ownHomesTexts }),
    );
    await timed('counted the reports', async () => {
      for (const text of reportTexts) {
        await clients[0]!.query(text, text.includes('$1') ? [applicationId] : []);
      }
    });
    await timed('vacuumed', () => clients[0]!.query('VACUUM (ANALYZE)'));
    await configure(clients[0]!, ['RESET max_wal_size', 'RESET full_page_writes']);
    process.stderr.write(`${written} bookings\n`);
    await printSizes(system, written);
    return { applicationId, applicationKey };
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}

/** The workers chain the entries of the audit trail that the fill has written. */
async function untilChained({ database }: BenchSystem): Promise<void> {
  const left = 'SELECT FROM audit_unchained LIMIT 1';
  await eventually(async () => (await sql(database, left)).length === 0, 3_600_000, 1_000);
}

/** Fills the folder of a service that is not running. Returns what is to be kept. */
async function fillFolder(folder: string, bookings: number, withinMs: number): Promise<Filled> {
  const system = await startBenchSystem(ownHomes, folder);
  try {
    const filled = await fill(system, bookings, withinMs);
    await timed('chained the audit trail', () => untilChained(system));
    return filled;
  } finally {
    await system.stopKeeping();
  }
}

/**
 * Starts a service with this number of bookings, or as many as can be written in that time. A folder that was filled
 * before is used as it is.
 */
export async function openGrown(
  folder: string,
  bookings: number,
  withinMs: number,
): Promise<GrownSystem> {
  const file = path.join(folder, 'grown.json');
  await mkdir(folder, { recursive: true });
  const kept = await readFile(file, 'utf8').catch(() => null);
  const { applicationId, applicationKey } =
    kept === null ? await fillFolder(folder, bookings, withinMs) : (JSON.parse(kept) as Filled);
  if (kept === null) await writeFile(file, JSON.stringify({ applicationId, applicationKey }));
  const system = await timed('started', () => startBenchSystem(ownHomes, folder));
  const token = await tokenOf(system.service.port, applicationId, applicationKey);
  const inventory = await openInventory(system.database);
  return { system, partner: { applicationId, applicationKey, token }, inventory };
}
