/** An import compares a file in slices, sets aside what it changes, and takes effect at once. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  createStagedBlocks,
  readStagedBlocks,
  stageBlocks,
} from '../../src/inventory/store/staged-blocks.ts';
import type { QueryConfig } from 'pg';
import { importBlocks } from '../../src/inventory/import-block-file.ts';
import { dateText, dayNumber } from '../../src/pricing/index.ts';
import { Seen } from '../../src/api/seen.ts';
import { beginComparison } from '../../src/catalog/import/compare-then-write.ts';
import { importCatalog } from '../../src/catalog/import/import-catalog.ts';
import { importLines, importRates } from '../../src/catalog/import/import-rates.ts';
import { ImportState } from '../../src/catalog/import/import-state.ts';
import { stageListings } from '../../src/catalog/import/import-listings.ts';
import { createProblemList } from '../../src/catalog/file/problems.ts';
import { readCatalogFile, type CatalogSource } from '../../src/catalog/file/read-catalog-file.ts';
import { homesWithText, replaceText } from '../../src/catalog/replace-text.ts';
import { setBulkRates } from '../../src/catalog/set-bulk-rates.ts';
import { setRates } from '../../src/catalog/set-rates.ts';
import { undoRates, undoReplacedText } from '../../src/catalog/undo-change.ts';
import { readHomes } from '../../src/catalog/store/listings.ts';
import { createStagedHomes } from '../../src/catalog/store/staged-homes.ts';
import type { CatalogListing } from '../../src/contract/catalog-file.ts';
import type { Database, Executor } from '../../src/platform/postgres/database.ts';
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

/** How many rows of occupancies this connection has read, also before if the server has not collected them yet. */
async function rowsRead(executor: Executor): Promise<number> {
  const [read] = await sql<{ rows: number }>(
    executor,
    `SELECT (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::integer AS rows
      FROM pg_stat_xact_user_tables WHERE relname = 'occupancies'`,
  );
  return read!.rows;
}

/** How many rows of occupancies are read for the blocks of some homes, half of which are there already. */
const rowsReadFor = (some: readonly string[]): Promise<{ rows: number; found: number }> =>
  db.database.transaction(async (executor) => {
    const earlier = await rowsRead(executor);
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
    return { rows: (await rowsRead(executor)) - earlier, found };
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

/** An executor that counts how many homes are read in each slice. */
const countingSlices = (executor: Executor, slices: number[]): Executor => ({
  vault: executor.vault,
  query(statement, values) {
    if (statement.name === 'read-homes') slices.push((values![0] as string[]).length);
    return executor.query(statement, values);
  },
});

/** How many homes are compared in each slice of a file. */
const slicesOf = (file: object): Promise<number[]> =>
  db.database.transaction(async (executor) => {
    await createStagedHomes(executor);
    const slices: number[] = [];
    const counting = countingSlices(executor, slices);
    const problems = createProblemList();
    const options = { mode: 'merge', dryRun: true, actor: null, blocks: null } as const;
    const comparison = await beginComparison(executor, false);
    const state = new ImportState(counting, comparison, options, problems);
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

const ratesOptions = { actor: 'test', dryRun: false, allowUnusual: true };

/** Lines of a spreadsheet: nights of homes from a first night on, each at a price. */
const linesOf = (slugs: readonly string[], nights: number, price: number) =>
  slugs.flatMap((slug) =>
    Array.from({ length: nights }, (_, at) => {
      const date = dateText(dayNumber('2027-01-01') + at);
      return { line: at + 2, listing: slug, from: date, to: date, nightly: price };
    }),
  );

const csvOf = (lines: ReturnType<typeof linesOf>): Buffer =>
  Buffer.from(
    ['listing,from,to,nightly', ...lines.map((each) => Object.values(each).slice(1).join())].join(
      '\n',
    ),
  );

/** How many homes are compared in each slice of a spreadsheet, and how often each statement runs while others wait. */
const slicesOfRates = (slugs: readonly string[], nights: number, price: number) =>
  db.database.transaction(async (executor) => {
    const slices: number[] = [];
    const whileLocked: string[] = [];
    let isLocked = false;
    const counting = countingSlices(executor, slices);
    const watching: Executor = {
      vault: executor.vault,
      query(statement, values) {
        if (statement.name === 'lock-catalog') isLocked = true;
        else if (isLocked) whileLocked.push(statement.name);
        return counting.query(statement, values);
      },
    };
    const comparison = await beginComparison(watching, false);
    const lines = linesOf(slugs, nights, price).map((line) => ({
      ...line,
      price: undefined,
      minNights: undefined,
    }));
    const read = { lines, problems: [] };
    const outcome = await importLines(watching, comparison, read, ratesOptions);
    assert.ok(outcome !== 'overtaken' && 'changes' in outcome.result);
    assert.equal(outcome.result.changes.length, lines.length);
    return { slices, whileLocked };
  });

test('rates of a spreadsheet are compared in slices of the same work, and written in one short step', async () => {
  const slugs = Array.from({ length: 250 }, (_, at) => `rated-${at}`);
  await importFile(
    db.database,
    fileOf(
      'rated',
      slugs.map((slug) => homeOf(slug)),
    ),
  );
  const few = await slicesOfRates(slugs, 1, 15_000);
  assert.deepEqual(few.slices, [99, 99, 52]);
  const many = await slicesOfRates(slugs.slice(0, 3), 5_000, 16_000);
  assert.deepEqual(many.slices, [1, 1, 1]);
  // As many statements while others wait, however many homes and nights there are.
  assert.deepEqual(many.whileLocked, few.whileLocked);
  assert.ok(!few.whileLocked.includes('read-homes'));
});

/** The prices of the first two nights of homes. */
const pricesOf = (prefix: string) =>
  sql<{ slug: string; nightly: number }>(
    db.database,
    `SELECT l.slug, d.nightly FROM listings l JOIN dated_rates d USING (listing_id)
      WHERE l.slug LIKE $1 || '%' ORDER BY l.slug, d.nights`,
    [prefix],
  );

/** The database, with something that happens before each home is set aside. */
const raced = (database: Database, during: () => Promise<void>): Database => ({
  ...database,
  vault: database.vault,
  async connect() {
    const client = await database.connect();
    const query = client.query.bind(client) as (config: QueryConfig) => Promise<unknown>;
    const racing = async (config: QueryConfig) => {
      if (config.text.startsWith('INSERT INTO staged_homes')) await during();
      return query(config);
    };
    return Object.assign(client, { query: racing });
  },
});

test('rates that somebody else has changed meanwhile are compared again; until then nobody waits', async () => {
  await importFile(db.database, fileOf('raced', [homeOf('raced-a'), homeOf('raced-b')]));
  let compared = 0;
  const result = await importRates(
    raced(db.database, async () => {
      compared += 1;
      if (compared > 1) return;
      const other = csvOf(linesOf(['raced-a'], 1, 12_000));
      await importRates(db.database, other, ratesOptions);
    }),
    csvOf(linesOf(['raced-a', 'raced-b'], 1, 15_000)),
    ratesOptions,
  );
  assert.equal(compared, 2);
  assert.ok('changes' in result);
  const [first] = result.changes;
  assert.equal(first!.before?.nightly, 12_000);
  assert.deepEqual(await pricesOf('raced-'), [
    { slug: 'raced-a', nightly: 15_000 },
    { slug: 'raced-b', nightly: 15_000 },
  ]);
});

/** The database, with a note of how many homes each slice reads, and of what is sent while others wait. */
function watched(database: Database) {
  const slices: number[] = [];
  const whileLocked: string[] = [];
  let isLocked = false;
  const watching: Database = {
    ...database,
    vault: database.vault,
    async connect() {
      const client = await database.connect();
      const query = client.query.bind(client) as (config: QueryConfig) => Promise<unknown>;
      const noting = (config: QueryConfig) => {
        const { name = '', text, values = [] } = config;
        if (name.startsWith('read-homes')) slices.push((values[0] as string[]).length);
        if (isLocked) whileLocked.push(name || text);
        if (name.startsWith('lock-catalog')) isLocked = true;
        return query(config);
      };
      return Object.assign(client, { query: noting });
    },
  };
  return { watching, slices, whileLocked };
}

/** What a change of this many homes reads and sends; all of it succeeds. */
async function watch(act: (database: Database) => Promise<object>) {
  const { watching, slices, whileLocked } = watched(db.database);
  const done = await act(watching);
  assert.ok(!('refused' in done), JSON.stringify(done));
  return { done, slices, whileLocked };
}

// Spec: OPERATOR-19, OPERATOR-20.
test('acts of staff at many homes compare in slices, and keep others waiting for as many statements as few do', async () => {
  const slugs = Array.from({ length: 45 }, (_, at) => `staffed-${at}`);
  const homesToChange = slugs.map((slug) => ({ ...homeOf(slug), blurb: 'by the resturant' }));
  await importFile(db.database, fileOf('staffed', homesToChange));
  const seen = new Seen(undefined);
  const acts = {
    rates(database: Database, some: readonly string[]): Promise<object> {
      const night = { from: '2027-01-01', to: '2027-01-02', nightly: 15_000 };
      const set = { ...night, listings: some, seen, allowUnusual: true, dryRun: false };
      return setRates(database, 'test', set);
    },
    bulk(database: Database, some: readonly string[]): Promise<object> {
      const dates = [{ date: '2027-02-01', nightly: 12_000 }];
      return setBulkRates(
        database,
        'test',
        some.map((listing) => ({ listing, dates })),
      );
    },
    text(database: Database, some: readonly string[]): Promise<object> {
      const wanted = { find: 'resturant', replaceWith: 'restaurant', seen, dryRun: false };
      return replaceText(database, 'test', { ...wanted, slugs: some });
    },
  };
  const of45 = [10, 10, 10, 10, 5];
  for (const act of Object.values(acts)) {
    const few = await watch((database) => act(database, slugs.slice(0, 11)));
    const { changeId } = few.done as { changeId?: string };
    if (changeId !== undefined) {
      const undo = act === acts.text ? undoReplacedText : undoRates;
      const undone = await watch((database) => undo(database, 'test', changeId));
      assert.deepEqual(undone.slices, [10, 1]);
      assert.deepEqual(undone.whileLocked, few.whileLocked);
    }
    const many = await watch((database) => act(database, slugs));
    assert.deepEqual([few.slices, many.slices], [[10, 1], of45]);
    assert.deepEqual(many.whileLocked, few.whileLocked);
    assert.ok(!many.whileLocked.some((name) => /read-homes|stage-homes|audit/.test(name)));
  }
});

test('blocks of a spreadsheet keep others waiting for as many statements, however many lines it has', async () => {
  const slugs = Array.from({ length: 30 }, (_, at) => `blocked-${at}`);
  await importFile(
    db.database,
    fileOf(
      'blocked',
      slugs.map((slug) => homeOf(slug)),
    ),
  );
  const importOf = (some: readonly string[], month: number) => (database: Database) => {
    const lines = some.flatMap((slug) =>
      [1, 3, 5, 7].map((day) => `${slug},2027-0${month}-0${day},2027-0${month}-0${day + 1}`),
    );
    const file = Buffer.from(['listing,from,to', ...lines].join('\n'));
    return importBlocks(database, file, { actor: 'test', dryRun: false, mostLines: undefined });
  };
  const few = await watch(importOf(slugs.slice(0, 1), 3));
  const many = await watch(importOf(slugs, 4));
  assert.deepEqual(many.done, { ...many.done, added: 120, changed: 0, unchanged: 0 });
  assert.deepEqual(many.whileLocked, few.whileLocked);
  assert.ok(few.whileLocked.length > 0 && few.whileLocked.length < 10, few.whileLocked.join());
  assert.ok(!few.whileLocked.some((name) => /identities/.test(name)));
});

test('promotions of a file keep others waiting for as many statements, however many there are', async () => {
  const importOf = (count: number, percent: number) => (database: Database) => {
    const promotions = Array.from({ length: count }, (_, at) => ({
      code: `WAIT${at}`,
      label: 'Waiting',
      percent,
    }));
    const source = sourceOf({ ...fileOf('waiting', [homeOf('waiting')]), promotions });
    const options = { mode: 'merge', dryRun: false, actor: null, blocks: null } as const;
    return importCatalog(database, source, options);
  };
  await watch(importOf(1, 10));
  const few = await watch(importOf(2, 20));
  const many = await watch(importOf(100, 30));
  assert.ok('difference' in many.done);
  assert.deepEqual(many.whileLocked, few.whileLocked);
  assert.ok(few.whileLocked.some((name) => name.startsWith('write-promotions')));
  const [stored] = await sql(
    db.database,
    `SELECT count(*)::integer AS promotions FROM promotions WHERE code LIKE 'WAIT%' AND off = 3000`,
  );
  assert.deepEqual(stored, { promotions: 100 });
});

test('a text that would grow beyond any limit is refused without being made', async () => {
  const slug = 'grows';
  const description = 'e'.repeat(20_000);
  await importFile(db.database, fileOf('grows', [{ ...homeOf(slug), description }]));
  const [home] = await homesWithText(
    (await readHomes(db.database, [slug])).map(({ home: listing }) => ({ listing })),
    { find: 'e', replaceWith: 'x'.repeat(500) },
  );
  assert.equal(home?.listing.slug, slug);
  const wanted = { find: 'e', replaceWith: 'x'.repeat(500), seen: new Seen(undefined) };
  const refused = await replaceText(db.database, 'test', {
    ...wanted,
    slugs: [slug],
    dryRun: true,
  });
  assert.ok('refused' in refused);
  assert.match(JSON.stringify(refused.details), /makes grows wrong/);
  assert.ok(JSON.stringify(refused).length < 1_000);
});
