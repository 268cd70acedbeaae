/** The import of a generated catalog file, and `COPY` of the same rows into the same tables. */
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from, to } from 'pg-copy-streams';
import { fileSource, importCatalog } from '../../src/catalog/index.ts';
import { readConfig } from '../../src/config/config.ts';
import { blockImport } from '../../src/inventory/index.ts';
import type { Database } from '../../src/platform/postgres/database.ts';
import { generateCatalog } from '../../src/simulation/index.ts';
import { openStorage } from '../../src/installation/storage.ts';
import type { Measure } from '../measure.ts';

/** What is imported. */
interface ImportSize {
  listings: number;
  withBlocks: boolean;
}

// A table comes after those that it refers to.
const tables = [
  'catalogs',
  'collections',
  'listings',
  'catalog_listings',
  'seasons',
  'dated_rates',
  'length_discounts',
  'fees',
  'taxes',
  'cancellation_rules',
  'promotions',
  'occupancies',
];

/** Writes the file. Its last list is that of the blocks. */
async function writeFile(file: string, { listings, withBlocks }: ImportSize): Promise<void> {
  async function* pieces(): AsyncGenerator<string> {
    for await (const text of generateCatalog({ listings, seed: 1, from: '2027-01-01' })) {
      if (withBlocks || !text.includes('"blocks":')) yield text;
      else return yield '}';
    }
  }
  await pipeline(Readable.from(pieces()), createWriteStream(file));
}

const truncate = (client: pg.Client) => client.query(`TRUNCATE ${tables.join(', ')} CASCADE`);

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

async function importFile(database: Database, file: string): Promise<void> {
  const options = { mode: 'merge', dryRun: false, actor: null, blocks: blockImport } as const;
  const result = await importCatalog(database, fileSource(file), options);
  if ('problems' in result) throw new Error(JSON.stringify(result.problems.first[0]));
}

/** Copies the rows out, and measures how long it takes to copy them into the empty tables. */
async function copyAgain(client: pg.Client, folder: string): Promise<number> {
  const fileOf = (table: string) => path.join(folder, table);
  for (const table of tables) {
    await pipeline(client.query(to(`COPY ${table} TO STDOUT`)), createWriteStream(fileOf(table)));
  }
  await truncate(client);
  return timed(async () => {
    await client.query('BEGIN');
    for (const table of tables) {
      const rows = createReadStream(fileOf(table), { highWaterMark: 1_048_576 });
      await pipeline(rows, client.query(from(`COPY ${table} FROM STDIN`)));
    }
    await client.query('COMMIT');
  });
}

/** Measures an import of this number of homes into empty tables. */
export const measureImport =
  (size: ImportSize): Measure['run'] =>
  async (rounds, onRound) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'latchkey-bench-'));
    const config = readConfig({
      LATCHKEY_DATA_DIR: path.join(folder, 'data'),
      LATCHKEY_ENVIRONMENT: 'test',
    });
    const storage = await openStorage(config, { join: false, log: () => undefined });
    const client = await storage.database.connect();
    try {
      const file = path.join(folder, 'catalog.json');
      await writeFile(file, size);
      for (let round = 0; round < rounds; round += 1) {
        await truncate(client);
        const figure = await timed(() => importFile(storage.database, file));
        onRound({ floor: await copyAgain(client, folder), figure });
      }
    } finally {
      await client.end();
      await storage.close();
      await rm(folder, { recursive: true, force: true });
    }
  };
