/** After an upgrade: which homes read differently, because each member of a layer is looked up by itself. Spec: STAY-3. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { compareNextHomes } from '../../src/catalog/compare-layers.ts';
import { readDifferently } from '../../src/catalog/earlier-layers.ts';
import { readEntry } from '../../src/catalog/file/entries.ts';
import { dayNumber, type Season } from '../../src/pricing/index.ts';
import { homesOf, writeListings } from '../harness/catalog.ts';
import { createTestDatabase, type TestDatabase } from '../harness/postgres.ts';
import { sql } from '../harness/rows.ts';

const summer = { name: 'Summer', from: '06-15', to: '09-10', changePercent: 35, priority: 1 };
const changeover = {
  name: 'Changeover on Saturday',
  from: '07-01',
  to: '08-31',
  arrivalDays: ['sat'],
  priority: 2,
};
const first = dayNumber('2027-01-01');
const year = 365;

const homeWith = (seasons: object[], currency = 'EUR') => {
  const home = { slug: 'home', name: 'Home', currency, rates: { nightly: 18_001, seasons } };
  const { entry, problems } = readEntry('listings', home);
  assert.deepEqual(problems, []);
  return entry!;
};

suite('the comparison of layers after an upgrade', () => {
  test('a season that only sets rules no longer erases the price below it', () => {
    assert.deepEqual(readDifferently(homeWith([summer, changeover]), first, year), {
      prices: 62,
      rules: 0,
      from: '2027-07-01',
      to: '2027-08-31',
    });
  });

  test('a season that only sets prices no longer erases the rules below it', () => {
    const festival = { name: 'Festival', from: '2027-08-01', to: '2027-08-07', nightly: 30_000 };
    const home = homeWith([
      { ...changeover, minNights: 7 },
      { ...festival, priority: 3 },
    ]);
    assert.deepEqual(readDifferently(home, first, year), {
      prices: 0,
      rules: 7,
      from: '2027-08-01',
      to: '2027-08-07',
    });
  });

  test('homes whose seasons do not overlap, or say everything, read the same', () => {
    assert.equal(readDifferently(homeWith([]), first, year), null);
    assert.equal(readDifferently(homeWith([summer]), first, year), null);
    const whole = { ...changeover, changePercent: 35 };
    assert.equal(
      readDifferently(
        homeWith([
          { ...summer, minNights: 5 },
          { ...whole, minNights: 5 },
        ]),
        first,
        year,
      ),
      null,
    );
  });

  test('prices of currencies with three decimals are rounded to tens now', () => {
    const found = readDifferently(homeWith([], 'KWD'), first, year);
    assert.deepEqual([found?.prices, found?.rules], [365, 0]);
  });

  suite('in a database', () => {
    let db: TestDatabase;
    before(async () => {
      db = await createTestDatabase();
    });
    after(() => db.drop());

    // Spec: FILE-15.
    test('names each such home once, in the audit trail and in the feeds of changes', async () => {
      const { database } = db;
      const now = Date.parse('2026-11-26T12:00:00Z');
      assert.equal(await compareNextHomes(database, now), null, 'nothing to compare');
      const [home] = await homesOf(db);
      const seasons = [summer, changeover] as Season[];
      await writeListings(database, [{ ...home!, rates: { ...home!.rates, seasons } }]);
      await sql(database, 'DELETE FROM pending_changes');
      await sql(database, 'UPDATE layer_comparison SET done_at = NULL, compared_to = NULL');
      const all: string[] = [];
      for (;;) {
        const changed = await compareNextHomes(database, now);
        if (changed === null) break;
        all.push(...changed.map(({ listing }) => listing));
      }
      assert.ok(all.includes(home!.slug));
      assert.equal(new Set(all).size, all.length);
      const entries = await sql<{ homes: { listing: string }[] }>(
        database,
        `SELECT details->'homes' AS homes FROM audit_entries WHERE action = 'catalog.read-differently'`,
      );
      assert.deepEqual(
        entries.flatMap(({ homes }) => homes.map(({ listing }) => listing)),
        all,
      );
      const [told] = await sql<{ told: number }>(
        database,
        `SELECT count(DISTINCT listing_id)::integer AS told FROM pending_changes WHERE kinds = '{rates,rules}'`,
      );
      assert.equal(told!.told, all.length);
    });
  });
});
