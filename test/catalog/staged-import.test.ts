/** An import compares a file in slices, sets aside what it changes, and takes effect at once. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  createStagedBlocks,
  readStagedBlocks,
  stageBlocks,
} from '../../src/inventory/store/staged-blocks.ts';
import { dateText, dayNumber } from '../../src/pricing/index.ts';
import { importCatalog } from '../../src/catalog/import/import-catalog.ts';
import { ImportState } from '../../src/catalog/import/import-state.ts';
import { stageListings } from '../../src/catalog/import/import-listings.ts';
import { createProblemList } from '../../src/catalog/file/problems.ts';
import { readCatalogFile, type CatalogSource } from '../../src/catalog/file/read-catalog-file.ts';
import { createStagedHomes } from '../../src/catalog/store/staged-homes.ts';
import type { CatalogListing } from '../../src/contract/catalog-file.ts';
import type { Executor } from '../../src/platform/postgres/database.ts';
import { homesOf } from '../harness/catalog.ts';
import { sourceOf } from '../harness/catalog-files.ts';
import { importFile } from '../harness/import-file.ts';
import { createTestDatabase, type TestDatabase } from '../harness/postgres.ts';
import { sql } from '../harness/rows.ts';

let db: TestDatabase;
let homes: string[];
before(async () => {
  db = await createTestDatabase();
  homes = (await homesOf(db)).map(({ listingId }) => listingId);
  const first = dayNumber('2027-01-01');
  const starts = Array.from({ length: 100 }, (_, at) => dateText(first + 2 * at));
  await sql(
    db.database,
    `INSERT INTO occupancies (listing_id, nights, kind, source)
      SELECT listing_id, daterange(first, first + 1), 'block', 'file'
      FROM unnest($1::uuid[]) AS listing_id, unnest($2::date[]) AS first`,
    [homes.slice(0, 20), starts],
  );
});
after(() => db.drop());

/** How many rows of occupancies are read for the blocks of some homes, half of which are there already. */
const rowsReadFor = (some: readonly string[]): Promise<{ rows: number; found: number }> =>
  db.database.transaction(async (executor) => {
    await createStagedBlocks(executor);
    const first = dayNumber('2027-01-01');
    const blocks = some.flatMap((listingId) =>
      Array.from({ length: 200 }, (_, at) => {
        const from = dateText(first + at);
        return { listingId, at, line: at, from, to: dateText(first + at + 1), reason: null };
      }),
    );
    await stageBlocks(executor, blocks);
    let found = 0;
    for await (const group of readStagedBlocks(executor, 100)) found += group.length;
    const [read] = await executor.query<{ rows: number }>({
      name: 'rows-read-in-a-test',
      text: `SELECT (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::integer AS rows
        FROM pg_stat_xact_user_tables WHERE relname = 'occupancies'`,
    });
    return { rows: read!.rows, found };
  });

test('blocks of a file are compared with those that are there in time that grows with the file', async () => {
  const small = await rowsReadFor(homes.slice(0, 5));
  const large = await rowsReadFor(homes.slice(0, 20));
  assert.deepEqual([small.found, large.found], [500, 2_000]);
  assert.ok(small.rows >= 500, 'it reads what is there');
  assert.ok(large.rows <= small.rows * 4 * 1.2, `${small.rows} and ${large.rows} rows`);
});

const fileOf = (slug: string, listings: object[]) => ({
  format: 'latchkey-catalog/1',
  catalog: { slug, name: slug, discovery: 'brand' },
  listings,
});

const homeOf = (slug: string, rates: CatalogListing['rates'] = { nightly: 10_000 }) => ({
  slug,
  name: slug,
  currency: 'EUR',
  rates,
});

const datesOf = (count: number) =>
  Array.from({ length: count }, (_, at) => {
    const day = dateText(dayNumber('2027-01-01') + at);
    return { from: day, to: day, nightly: 20_000 };
  });

/** How many homes are compared in each slice of a file. */
const slicesOf = (file: object): Promise<number[]> =>
  db.database.transaction(async (executor) => {
    await createStagedHomes(executor);
    const slices: number[] = [];
    const counting: Executor = {
      vault: executor.vault,
      query(statement, values) {
        if (statement.name === 'read-homes') slices.push((values![0] as string[]).length);
        return executor.query(statement, values);
      },
    };
    const problems = createProblemList();
    const options = { mode: 'merge', dryRun: true, actor: null, blocks: null } as const;
    const state = new ImportState(counting, options, problems);
    for await (const batch of readCatalogFile(sourceOf(file), problems)) {
      if (batch.list === 'listings') await stageListings(state, batch.entries);
    }
    assert.equal(problems.count, 0);
    assert.equal(
      state.prepared.homes,
      slices.reduce((sum, count) => sum + count, 0),
    );
    return slices;
  });

test('homes of a file are compared and set aside in slices of the same work', async () => {
  const plain = Array.from({ length: 250 }, (_, at) => homeOf(`plain-${at}`));
  assert.deepEqual(await slicesOf(fileOf('sliced', plain)), [100, 100, 50]);
  const long = Array.from({ length: 3 }, (_, at) =>
    homeOf(`long-${at}`, { nightly: 1, dates: datesOf(5_000) }),
  );
  assert.deepEqual(await slicesOf(fileOf('sliced', long)), [1, 1, 1]);
});

/** A source that does something when half of it has been read for the first time. */
function interrupted(
  file: object,
  during: () => Promise<void>,
): CatalogSource & { opened: number } {
  const text = JSON.stringify(file);
  const half = Math.floor(text.length / 2);
  return {
    opened: 0,
    async *open() {
      this.opened += 1;
      yield Buffer.from(text.slice(0, half));
      if (this.opened === 1) await during();
      yield Buffer.from(text.slice(half));
    },
  };
}

const storedHomes = (prefix: string) =>
  sql<{ slug: string; nightly: number; revision: number }>(
    db.database,
    `SELECT slug, nightly, revision FROM listings WHERE slug LIKE $1 || '%' ORDER BY slug`,
    [prefix],
  );

// Spec: FILE-1.
test('while a file is compared nobody waits for it or sees any of it; then all is there at once', async () => {
  const many = Array.from({ length: 1_200 }, (_, at) => homeOf(`whole-${at}`));
  const source = interrupted(fileOf('whole', many), async () => {
    const [staging] = await sql<{ count: number }>(
      db.database,
      `SELECT count(*)::integer FROM pg_stat_activity
        WHERE datname = current_database() AND query LIKE 'INSERT INTO staged_homes%'`,
    );
    assert.equal(staging!.count, 1, 'homes are set aside');
    assert.deepEqual(await storedHomes('whole-'), []);
    const lock = 'SELECT FROM catalog_revision FOR UPDATE NOWAIT';
    assert.equal((await sql(db.database, lock)).length, 1);
  });
  const options = { mode: 'merge', dryRun: false, actor: null, blocks: null } as const;
  await importCatalog(db.database, source, options);
  assert.equal(source.opened, 1);
  const stored = await storedHomes('whole-');
  assert.equal(stored.length, 1_200);
  assert.equal(new Set(stored.map(({ revision }) => revision)).size, 1);
});

test('what somebody else has changed meanwhile is compared again', async () => {
  await importFile(db.database, fileOf('again', [homeOf('again-a'), homeOf('again-b')]));
  const changed = fileOf('again', [homeOf('again-a', { nightly: 30_000 }), homeOf('again-c')]);
  const source = interrupted(changed, async () => {
    const other = fileOf('again', [homeOf('again-a', { nightly: 20_000 }), homeOf('again-c')]);
    await importFile(db.database, other);
  });
  const options = { mode: 'replace', dryRun: false, actor: null, blocks: null } as const;
  const result = await importCatalog(db.database, source, options);
  assert.equal(source.opened, 2);
  assert.ok('difference' in result);
  const { added, withdrawn, entries } = result.difference.listings;
  assert.deepEqual({ added, withdrawn }, { added: 0, withdrawn: 1 });
  const [first] = entries;
  assert.deepEqual(first!.members, [{ path: '/rates/nightly', from: 20_000, to: 30_000 }]);
  const stored = await storedHomes('again-');
  assert.deepEqual(
    stored.map(({ slug, nightly }) => [slug, nightly]),
    [
      ['again-a', 30_000],
      ['again-b', 10_000],
      ['again-c', 10_000],
    ],
  );
});
