/** Export and import of random catalogs: nothing is lost, and the second import changes nothing. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, suite, test } from 'node:test';
import fc from 'fast-check';
import type { CatalogFile } from '../../src/contract/catalog-file.ts';
import { blockImport, readFileBlocks } from '../../src/inventory/index.ts';
import type { Database } from '../../src/platform/postgres/database.ts';
import { dateText } from '../../src/pricing/rules/calendar-date.ts';
import type { Listing } from '../../src/pricing/rules/listing.ts';
import { listings } from '../harness/arbitraries.ts';
import { changesOf, importFile } from '../harness/import-file.ts';
import { keepConnections } from '../harness/kept-connections.ts';
import { createTestDatabase, type TestDatabase } from '../harness/postgres.ts';
import { sql } from '../harness/rows.ts';
import { sourceOf, readWhole } from '../harness/catalog-files.ts';
import { exportCatalog } from '../harness/acts.ts';

const example = readFileSync(
  new URL('../../examples/harbour-homes/catalog.json', import.meta.url),
  'utf8',
);

/** A collection, half-open blocks that do not overlap, and the listing that they belong to. */
interface RandomHome {
  listing: Listing;
  collection: string | null;
  gaps: { free: number; nights: number; reason: string | null }[];
}

const collections = ['coast', 'hills', 'lakes'];
const firstDay = 21_000;

const homes = (): fc.Arbitrary<RandomHome[]> =>
  fc.uniqueArray(
    fc.record({
      listing: listings(),
      collection: fc.option(fc.constantFrom(...collections), { nil: null }),
      gaps: fc.array(
        fc.record({
          free: fc.nat(20),
          nights: fc.integer({ min: 1, max: 30 }),
          reason: fc.option(fc.constantFrom('', 'New roof', '„Umbau“ 🏠'), { nil: null }),
        }),
        { maxLength: 4 },
      ),
    }),
    { maxLength: 6, selector: ({ listing }) => listing.slug },
  );

const blocksOf = ({ listing, gaps }: RandomHome) => {
  let day = firstDay;
  return gaps.map(({ free, nights, reason }) => {
    const from = day + free;
    day = from + nights;
    return {
      listing: listing.slug,
      from: dateText(from),
      to: dateText(day),
      ...(reason === null ? {} : { reason }),
    };
  });
};

const codes = fc.uniqueArray(fc.stringMatching(/^[A-Z0-9]{4,10}$/), { maxLength: 4 });

/** A catalog file of random homes; seasons that overlap are left out by the caller's check. */
const files = (slug: string): fc.Arbitrary<CatalogFile> =>
  fc
    .tuple(homes(), codes, fc.shuffledSubarray(collections, { minLength: 3 }))
    .map(([random, promotions, order]): CatalogFile => ({
      format: 'latchkey-catalog/1',
      catalog: {
        slug,
        name: 'Random',
        discovery: 'brand',
        collections: order.map((each) => ({ slug: each, name: each })),
      },
      listings: random.map(({ listing, collection }) => {
        const { listingId: _listingId, collectionId: _collectionId, ...rest } = listing;
        // JSON has neither undefined nor -0.
        return JSON.parse(JSON.stringify({ ...rest, collection })) as NonNullable<
          CatalogFile['listings']
        >[number];
      }),
      promotions: promotions.map((code, at) => ({
        code: `${slug}${code}`.toUpperCase(),
        label: code,
        ...(at % 2 === 0 ? { percent: 12.5 } : { amount: 500, currency: 'EUR' }),
        ...(at === 1 ? { bookFrom: '2027-01-01', bookTo: '2027-12-31', maxUses: 3 } : {}),
        ...(random.length > 0 ? { listings: [random[0]!.listing.slug] } : {}),
      })),
      blocks: random.flatMap(blocksOf),
    }));

suite('catalog export', () => {
  let clone: TestDatabase;
  let database: Database;
  before(async () => {
    clone = await createTestDatabase();
    database = keepConnections(clone.database);
  });
  after(() => clone.drop());

  async function exported(slug: string): Promise<string> {
    let text = '';
    await exportCatalog(database, slug, readFileBlocks, async (piece) => {
      text += piece;
    });
    return text;
  }
  const imported = (file: object | string, mode: 'merge' | 'replace') =>
    importFile(database, file, { mode, blocks: blockImport });
  const written = () =>
    sql(
      clone.database,
      ['listings', 'catalog_listings', 'collections', 'promotions', 'occupancies', 'seasons']
        .map((table) => `SELECT '${table}' AS kind, xmin::text, t::text AS row FROM ${table} t`)
        .join(' UNION ALL ')
        .concat(' ORDER BY 1, 3'),
    );

  // Spec: FILE-3.
  test('random catalogs: a second import, and an import of the export, change nothing', async () => {
    let catalogs = 0;
    await fc.assert(
      fc.asyncProperty(files('random'), async (file) => {
        // Random seasons may overlap; those files are refused, as the tests of the reader show.
        const { count } = await readWhole(sourceOf(file));
        fc.pre(count === 0);
        catalogs += 1;
        changesOf(await imported(file, 'replace'));
        const rows = await written();
        for (const mode of ['merge', 'replace'] as const) {
          assert.deepEqual(changesOf(await imported(file, mode)), {});
        }
        const text = await exported('random');
        for (const mode of ['merge', 'replace'] as const) {
          assert.deepEqual(changesOf(await imported(text, mode)), {});
        }
        assert.equal(await exported('random'), text);
        assert.deepEqual(await written(), rows, 'no row was touched');
      }),
      { numRuns: 40 },
    );
    assert.ok(catalogs >= 40);
  });

  test('what is exported is what was imported, into an empty database too', async () => {
    changesOf(await imported(example, 'merge'));
    const text = await exported('harbour-homes');
    const other = await createTestDatabase();
    try {
      changesOf(await importFile(other.database, text, { blocks: blockImport }));
      let again = '';
      await exportCatalog(other.database, 'harbour-homes', readFileBlocks, async (piece) => {
        again += piece;
      });
      assert.equal(again, text);
    } finally {
      await other.drop();
    }
  });

  test('promotions do not name homes that are withdrawn', async () => {
    const home = (slug: string) => ({ slug, name: slug, currency: 'EUR', rates: { nightly: 1 } });
    const file = {
      format: 'latchkey-catalog/1',
      catalog: { slug: 'fewer', name: 'Fewer', discovery: 'brand' },
      listings: [home('fewer-a'), home('fewer-b')],
    };
    const promotion = (code: string, ...slugs: string[]) => {
      return { code, label: code, percent: 1, listings: slugs };
    };
    const promotions = [promotion('FEWERAB', 'fewer-a', 'fewer-b'), promotion('FEWERB', 'fewer-b')];
    changesOf(await imported({ ...file, promotions }, 'replace'));
    changesOf(await imported({ ...file, listings: [home('fewer-a')], promotions }, 'replace'));
    const { promotions: kept } = JSON.parse(await exported('fewer')) as CatalogFile;
    assert.deepEqual(
      kept!.map(({ code, listings: named }) => [code, named]),
      [['FEWERAB', ['fewer-a']]],
    );
  });

  test('an unknown catalog is refused', async () => {
    await assert.rejects(exported('nowhere'), /There is no catalog "nowhere"/);
  });
});
