/** Imports of catalog files into a database. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, suite, test } from 'node:test';
import { importCatalog } from '../../src/catalog/import.ts';
import type { CatalogFile, CatalogListing } from '../../src/contract/catalog-file.ts';
import { lockCatalog } from '../../src/catalog/store/revision.ts';
import { homesOf } from '../harness/catalog.ts';
import { eventually } from '../harness/eventually.ts';
import { createTestDatabase, type TestDatabase } from '../harness/postgres.ts';
import { sql } from '../harness/rows.ts';
import { simulatedCatalog } from '../harness/simulated-catalog.ts';

const homes = JSON.parse(
  readFileSync(new URL('../../src/simulation/homes.json', import.meta.url), 'utf8'),
) as CatalogFile;

/** Everything that an import writes, as text, and the version of each row. */
const writtenText = `SELECT 'catalog' AS kind, slug, xmin::text, row_to_json(s)::text AS row FROM catalogs s
  UNION ALL SELECT 'collection', slug, xmin::text, row_to_json(c)::text FROM collections c
  UNION ALL SELECT 'listing', slug, xmin::text, row_to_json(l)::text FROM listings l
  ORDER BY 1, 2`;

suite('catalog import', () => {
  let clone: TestDatabase;
  before(async () => {
    clone = await createTestDatabase();
  });
  after(() => clone.drop());

  const imported = (file: object) => importCatalog(clone.database, file);
  const written = () => sql(clone.database, writtenText);
  const listingsNow = () => homesOf(clone);

  test('the homes are as the file has them, in its order', async () => {
    assert.deepEqual(await listingsNow(), simulatedCatalog().listings);
  });

  test('the same file again changes no row', async () => {
    const first = await written();
    assert.deepEqual(await imported(homes), { listings: 120, collections: 6, promotions: 6 });
    assert.deepEqual(await written(), first);
  });

  test('one that waits for another holds nothing that the other needs', async () => {
    const waiting = `SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    let second: Promise<unknown> | undefined;
    await clone.database.transaction(async (first) => {
      await lockCatalog(first);
      second = imported(homes);
      await eventually(async () => (await sql(clone.database, waiting)).length > 0);
      await sql(first, 'SELECT FROM promotions FOR UPDATE NOWAIT');
      await sql(first, 'SELECT FROM catalogs FOR UPDATE NOWAIT');
    });
    assert.deepEqual(await second, { listings: 120, collections: 6, promotions: 6 });
  });

  test('a home that is changed keeps its ID; the others stay; a new one gets an ID', async () => {
    const [known] = await listingsNow();
    const { listingId: _, ...first } = homes.listings![0]!;
    const changed: CatalogListing = { ...first, name: 'Renamed', sleeps: 2 };
    const added: CatalogListing = { ...first, slug: 'added', name: 'Added' };
    const file = { ...homes, listings: [changed, added], promotions: [] };
    assert.deepEqual(await imported(file), { listings: 2, collections: 6, promotions: 0 });
    const now = await listingsNow();
    assert.equal(now.length, 121);
    const found = now.find(({ slug }) => slug === known!.slug);
    assert.deepEqual(found, { ...known, name: 'Renamed', sleeps: 2 });
    assert.match(now.find(({ slug }) => slug === 'added')!.listingId, /^[0-9a-f]{8}-.{4}-7/);
  });

  test('promotions keep their uses; a maximum below them is refused', async () => {
    const code = 'FIRST100';
    await sql(clone.database, 'UPDATE promotions SET uses = 7 WHERE code = $1', [code]);
    const promotion = { code, label: 'Changed', percent: 12.5 };
    const file = (maxUses: number) => ({
      ...homes,
      listings: [],
      promotions: [{ ...promotion, maxUses, bookTo: '2030-01-31' }],
    });
    assert.deepEqual(await imported(file(6)), {
      problems: [
        { pointer: '/promotions/0/maxUses', message: 'must not be less than the uses so far: 7' },
      ],
    });
    await imported(file(7));
    const text = `SELECT label, off, max_uses, uses, book_to FROM promotions WHERE code = $1`;
    assert.deepEqual(await sql(clone.database, text, [code]), [
      {
        label: 'Changed',
        off: 1_250,
        max_uses: 7,
        uses: 7,
        book_to: Date.parse('2030-02-01T00:00Z'),
      },
    ]);
  });

  test('with a problem nothing at all is written', async () => {
    const untouched = await written();
    const [first, second] = homes.listings!;
    const other = { ...first!, listingId: '0193a5c4-2f00-7000-8000-00000000000a' };
    const taken = { ...first!, slug: 'new-home', listingId: second!.listingId! };
    const renamed = { ...second!, name: 'Renamed' };
    const result = await imported({ ...homes, listings: [renamed, other] });
    assert.deepEqual(result, {
      problems: [
        {
          pointer: '/listings/1/listingId',
          message: `must be its existing ID: ${first!.listingId}`,
        },
      ],
    });
    assert.deepEqual(await imported({ ...homes, listings: [taken] }), {
      problems: [{ pointer: '/listings/0/listingId', message: `is the ID of ${second!.slug}` }],
    });
    const elsewhere = { ...homes, catalog: { ...homes.catalog, slug: 'elsewhere' } };
    const refused = await imported(elsewhere);
    assert.ok('problems' in refused);
    assert.equal(refused.problems[0]?.pointer, '/catalog/slug');
    const block = { listing: first!.slug, from: '2027-01-01', to: '2027-01-05' };
    assert.ok('problems' in (await imported({ ...homes, blocks: [block] })));
    assert.deepEqual(await written(), untouched);
  });

  test('what is left of the rules of an older version is imported again', async () => {
    for (const table of ['listings', 'collections', 'site']) {
      await sql(clone.database, `DELETE FROM ${table}`);
    }
    assert.deepEqual(await imported(homes), { listings: 120, collections: 6, promotions: 6 });
    const [row] = await sql(clone.database, `SELECT uses FROM promotions WHERE code = 'FIRST100'`);
    assert.deepEqual(row, { uses: 7 });
  });
});
