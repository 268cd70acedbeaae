/** Homes with two years of stays, and ways to search them in plain SQL. */
import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { fileSource, importCatalog } from '../src/catalog/index.ts';
import type { Database } from '../src/platform/postgres/database.ts';
import { generateCatalog } from '../src/simulation/index.ts';

/** A stay that is searched: days from today. */
export interface SearchedStay {
  from: number;
  nights: number;
}

const staysPerHome = 50;
const nightsSold = 730;

/** Imports the first homes of a generated catalog, without blocks. `changed` changes the text of a home. */
export async function importHomes(
  database: Database,
  folder: string,
  homes: number,
  changed = (text: string): string => text,
): Promise<void> {
  const file = path.join(folder, 'bench-catalog.json');
  async function* pieces(): AsyncGenerator<string> {
    for await (const text of generateCatalog({ listings: homes, seed: 1, from: '2027-01-01' })) {
      if (text.includes('"blocks":')) return yield '}';
      yield changed(text);
    }
  }
  await pipeline(Readable.from(pieces()), createWriteStream(file));
  const options = { mode: 'merge', dryRun: false, actor: null, blocks: null } as const;
  const result = await importCatalog(database, fileSource(file), options);
  if ('problems' in result) throw new Error(JSON.stringify(result.problems.first[0]));
}

// Stays of 2 to 15 nights; the gaps leave two of five nights free. The same in every run.
const staysText = `SELECT listing_id, first, first + length AS after_last FROM (
    SELECT listing_id, length, (sum(gap + length) OVER (PARTITION BY listing_id ORDER BY n))::integer - length AS first
    FROM (SELECT listing_id, n, 2 + abs(hashtext(listing_id::text || n)) % 14 AS length,
        abs(hashtext('gap' || listing_id || n)) % 13 AS gap
      FROM listings, generate_series(1, ${staysPerHome}) n) drawn) placed
  WHERE first < ${nightsSold}`;

/** Fills the nights of all homes, and the tables of the designs in plain SQL. Indexes are built afterwards. */
async function fillNights(client: pg.Client): Promise<void> {
  await client.query(`SET synchronous_commit = off; SET enable_seqscan = on;
    SET maintenance_work_mem = '1GB'; SET work_mem = '256MB';
    ALTER TABLE occupancies DROP CONSTRAINT occupancies_never_overlap;
    INSERT INTO occupancies (listing_id, nights, kind, source)
      SELECT listing_id, daterange(current_date + first, current_date + after_last), 'block', 'file'
      FROM (${staysText}) stays;
    ALTER TABLE occupancies ADD CONSTRAINT occupancies_never_overlap
      EXCLUDE USING gist (listing_id WITH =, nights WITH &&);
    CREATE TABLE bench_ranks AS SELECT row_number() OVER (ORDER BY position, listing_id)::integer AS rank,
      listing_id FROM catalog_listings;
    ALTER TABLE bench_ranks ADD PRIMARY KEY (rank);
    CREATE TABLE bench_free_runs AS
      SELECT p.rank, daterange(o.first, lead(o.next, 1, NULL) OVER w) AS nights
      FROM (SELECT listing_id, upper(nights) AS first, lower(nights) AS next FROM occupancies
        UNION ALL SELECT listing_id, current_date - 1, current_date - 1 FROM listings) o
      JOIN bench_ranks p USING (listing_id)
      WINDOW w AS (PARTITION BY o.listing_id ORDER BY o.first);
    DELETE FROM bench_free_runs WHERE isempty(nights);
    CREATE INDEX bench_free_runs_by_nights ON bench_free_runs USING spgist (nights)`);
  await client.query('VACUUM (ANALYZE)');
}

/** Imports this number of homes and fills their nights. Returns the number of stays. */
export async function fillInventory(
  database: Database,
  folder: string,
  homes: number,
): Promise<number> {
  await importHomes(database, folder, homes);
  const client = await database.connect();
  try {
    await fillNights(client);
    const { rows } = await client.query<{ stays: number }>(
      'SELECT count(*)::integer AS stays FROM occupancies',
    );
    return rows[0]!.stays;
  } finally {
    await client.end();
  }
}

const stay = 'daterange(current_date + $1::integer, current_date + $1::integer + $2::integer)';

/** The conditions of a free home, in plain SQL: a probe for each home, or the free runs that contain the stay. */
const designs = {
  probes: `bench_ranks p WHERE NOT EXISTS (SELECT FROM occupancies o
    WHERE o.listing_id = p.listing_id AND o.nights && ${stay} OFFSET 0)`,
  runs: `bench_free_runs p WHERE nights @> ${stay}`,
} as const;

type Design = keyof typeof designs;

/** The designs. */
export const sqlDesigns = Object.keys(designs) as Design[];

/** The ranks of the first free homes, from 1. */
export async function pageInSql(
  client: pg.Client,
  design: Design,
  { from, nights }: SearchedStay,
  atMost: number,
): Promise<number[]> {
  const { rows } = await client.query<{ rank: number }>({
    name: `page-${design}`,
    text: `SELECT rank FROM ${designs[design]} ORDER BY rank LIMIT $3`,
    values: [from, nights, atMost],
  });
  return rows.map(({ rank }) => rank);
}

/** The number of free homes. */
export async function countInSql(
  client: pg.Client,
  design: Design,
  { from, nights }: SearchedStay,
): Promise<number> {
  const { rows } = await client.query<{ free: number }>({
    name: `count-${design}`,
    text: `SELECT count(*)::integer AS free FROM ${designs[design]}`,
    values: [from, nights],
  });
  return rows[0]!.free;
}
