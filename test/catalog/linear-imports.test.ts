/** Every import grows linearly: four times the lines are four times the rows that it reads and writes. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { Seen } from '../../src/api/seen.ts';
import { importCatalog } from '../../src/catalog/import/import-catalog.ts';
import { importRates } from '../../src/catalog/import/import-rates.ts';
import { replaceText } from '../../src/catalog/replace-text.ts';
import { setBulkRates } from '../../src/catalog/set-bulk-rates.ts';
import { undoReplacedText } from '../../src/catalog/undo-change.ts';
import { blockImport, importBlocks } from '../../src/inventory/index.ts';
import { dateText, dayNumber } from '../../src/pricing/index.ts';
import type { Database } from '../../src/platform/postgres/database.ts';
import { importCalendar } from '../harness/acts.ts';
import { sourceOf } from '../harness/catalog-files.ts';
import { createTestDatabase, type TestDatabase } from '../harness/postgres.ts';
import { assertLinear, type Part } from '../harness/rows-touched.ts';
import { feedOf } from '../channels/calendars.ts';

const items = 60;
const day = (at: number): string => dateText(dayNumber('2027-01-01') + at);
const slugOf = (at: number): string => `linear-${at}`;
const several = <T>(count: number, one: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => one(at));

const homeOf = (at: number, nightly: number) => ({
  slug: slugOf(at),
  name: slugOf(at),
  blurb: 'by the resturant',
  currency: 'EUR',
  rates: { nightly, dates: [{ from: day(3), to: day(5), nightly: nightly + 1_000 }] },
});

/** Imports a catalog file with so many homes, each with a block. */
const catalogOf =
  (nightly: (at: number) => number, mode: 'merge' | 'replace' = 'merge'): Part =>
  async (database, count) => {
    const file = {
      format: 'latchkey-catalog/1',
      catalog: { slug: 'linear', name: 'Linear', discovery: 'brand' },
      listings: several(count, (at) => homeOf(at, nightly(at))),
      blocks: several(count, (at) => ({ listing: slugOf(at), from: day(1), to: day(2) })),
    };
    const options = { mode, dryRun: false, actor: null, blocks: blockImport } as const;
    const result = await importCatalog(database, sourceOf(file), options);
    assert.ok('difference' in result, JSON.stringify(result));
  };

const promotionsOf =
  (percent: (at: number) => number): Part =>
  async (database, count) => {
    const file = {
      format: 'latchkey-catalog/1',
      catalog: { slug: 'linear', name: 'Linear', discovery: 'brand' },
      promotions: several(count, (at) => ({
        code: `LINEAR${at}`,
        label: 'Linear',
        percent: percent(at),
      })),
    };
    const options = { mode: 'merge', dryRun: false, actor: null, blocks: null } as const;
    const result = await importCatalog(database, sourceOf(file), options);
    assert.ok('difference' in result, JSON.stringify(result));
  };

const done = (result: object): void =>
  assert.ok(!('problems' in result) && !('refused' in result), JSON.stringify(result));

const csvOf = (...lines: readonly (readonly string[])[]): Buffer =>
  Buffer.from(lines.map((cells) => cells.join()).join('\n'));

const ratesOf =
  (price: number): Part =>
  async (database, count) => {
    const lines = several(count, (at) => [slugOf(at), day(10), day(10), String(price)]);
    const options = { actor: 'test', dryRun: false, allowUnusual: true };
    const file = csvOf(['listing', 'from', 'to', 'nightly'], ...lines);
    done(await importRates(database, file, options));
  };

const blocksOf =
  (first: number): Part =>
  async (database, count) => {
    const lines = several(count, (at) => [slugOf(at), day(first), day(first + 1)]);
    const options = { actor: 'test', dryRun: false };
    done(await importBlocks(database, csvOf(['listing', 'from', 'to'], ...lines), options));
  };

/** The blocks of one home, half of which are there after the first import. */
const blocksOfOne =
  (step: number): Part =>
  async (database, count) => {
    const lines = several(count, (at) => [slugOf(0), day(400 + step * at), day(401 + step * at)]);
    const options = { actor: 'test', dryRun: false };
    done(await importBlocks(database, csvOf(['listing', 'from', 'to'], ...lines), options));
  };

/** A calendar of another channel with so many events. `moved`: every other one is another one than before. */
const calendarOf =
  (moved: number): Part =>
  async (database, count) => {
    const events = several(count, (at) => {
      const by = at % 2 === 0 ? 0 : moved;
      return { uid: `${at} ${by}`, from: day(50 + 2 * at + by), to: day(51 + 2 * at + by) };
    });
    const file = { listing: slugOf(1), name: 'a.ics', bytes: Buffer.from(feedOf(...events)) };
    const { added, unchanged, problems } = await importCalendar(database, 'test', file);
    assert.deepEqual([added + unchanged, problems], [count, []]);
  };

const bulkOf: Part = async (database, count) => {
  const homes = several(count, (at) => ({
    listing: slugOf(at),
    dates: [{ date: day(20), nightly: 12_000 }],
  }));
  done(await setBulkRates(database, 'test', homes));
};

async function replaced(database: Database, count: number): Promise<{ changeId?: string }> {
  const seen = new Seen(undefined);
  const wanted = { find: 'resturant', replaceWith: 'restaurant', seen, dryRun: false };
  const result = await replaceText(database, 'test', { ...wanted, slugs: several(count, slugOf) });
  done(result);
  return result as { changeId?: string };
}

let changeId = '';

const imports: Readonly<Record<string, Part>> = {
  'a catalog file of new homes': catalogOf(() => 10_000),
  'a catalog file of which every other home has changed': catalogOf((at) => 10_000 + (at % 2)),
  'promotions that are new': promotionsOf(() => 10),
  'promotions of which every other one has changed': promotionsOf((at) => 10 + (at % 2)),
  'rates from a spreadsheet': ratesOf(15_000),
  'rates from a spreadsheet again': ratesOf(16_000),
  'rates of a pricing tool': bulkOf,
  'blocks from a spreadsheet': blocksOf(30),
  'blocks from a spreadsheet again': blocksOf(30),
  'blocks of one home': blocksOfOne(2),
  'blocks of one home, half of which are there': blocksOfOne(4),
  'a calendar of another channel': calendarOf(0),
  'a calendar of another channel, of which half has changed': calendarOf(1),
  'a text at all homes': async (database, count) => {
    ({ changeId = '' } = await replaced(database, count));
  },
  'the text of before at all homes': async (database) =>
    done(await undoReplacedText(database, 'test', changeId)),
  'a catalog file that withdraws homes': async (database, count) =>
    catalogOf(() => 10_000, 'replace')(database, Math.ceil(count / 2)),
};

suite('imports grow linearly', () => {
  let db: TestDatabase;
  before(async () => {
    db = await createTestDatabase();
  });
  after(() => db.drop());

  // Spec: FILE-1.
  test('four times the lines are four times the rows that are read and written', () =>
    assertLinear(db.database, imports, items));
});
