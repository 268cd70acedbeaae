/** Imports of catalog files into a database. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { blockImport } from '../../src/inventory/index.ts';
import { after, before, beforeEach, suite, test } from 'node:test';
import { importRates } from '../../src/catalog/import/import-rates.ts';
import type { ImportOptions } from '../../src/catalog/import/import-catalog.ts';
import { lockPromotions } from '../../src/catalog/store/promotions.ts';
import { lockCatalog, readRevision } from '../../src/catalog/store/revision.ts';
import type { CatalogFile, CatalogListing } from '../../src/contract/catalog-file.ts';
import { dateText } from '../../src/pricing/index.ts';
import { homesOf } from '../harness/catalog.ts';
import { eventually } from '../harness/eventually.ts';
import { changesOf, importFile, membersOf, problemsOf } from '../harness/import-file.ts';
import { createTestDatabase, type TestDatabase } from '../harness/postgres.ts';
import { sql } from '../harness/rows.ts';
import { simulatedCatalog } from '../../src/build/simulated-catalog.ts';

const homes = JSON.parse(
  readFileSync(new URL('../../src/simulation/homes.json', import.meta.url), 'utf8'),
) as CatalogFile;

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
  'catalog_revision',
  'audit_entries',
];

/** Everything that an import writes, as text, and the version of each row. */
const writtenText = `${tables
  .map(
    (table) => `SELECT '${table}' AS kind, xmin::text, row_to_json(t)::text AS row FROM ${table} t`,
  )
  .join(' UNION ALL ')} ORDER BY 1, 3`;

/** A small operator. */
const small = (...slugs: string[]): CatalogFile => ({
  format: 'latchkey-catalog/1',
  catalog: {
    slug: 'small',
    name: 'Small',
    discovery: 'brand',
    collections: [
      { slug: 'coast', name: 'Coast' },
      { slug: 'hills', name: 'Hills', description: 'High' },
    ],
  },
  listings: slugs.map((slug): CatalogListing => ({
    slug,
    name: slug.toUpperCase(),
    collection: 'coast',
    currency: 'EUR',
    rates: { nightly: 10_000 },
  })),
  promotions: [{ code: 'SMALL10', label: 'Ten', percent: 10, listings: slugs.slice(0, 1) }],
});

suite('catalog import › into the simulation', () => {
  let clone: TestDatabase;
  before(async () => {
    clone = await createTestDatabase();
  });
  after(() => clone.drop());

  const imported = (file: object, options?: Partial<ImportOptions>) =>
    importFile(clone.database, file, options);
  const written = () => sql(clone.database, writtenText);
  const listingsNow = () => homesOf(clone);

  test('the homes are as the file has them, in its order', async () => {
    assert.deepEqual(await listingsNow(), simulatedCatalog().listings);
  });

  test('the same file again changes no row, as a merge and as a replacement', async () => {
    const first = await written();
    assert.deepEqual(changesOf(await imported(homes)), {});
    assert.deepEqual(changesOf(await imported(homes, { mode: 'replace' })), {});
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
    await second;
  });

  test('while it runs, nights of the homes that it changes can be taken, and promotions used', async () => {
    const listings = homes.listings!.map((home) => ({ ...home, description: 'Written again' }));
    const nothing = { count: 0, first: [] };
    let seen = 0;
    await imported(
      { ...homes, listings },
      {
        blocks: {
          begin: async () => undefined,
          stage: async () => undefined,
          async apply() {
            // What a stay does to its home, and a booking to its promotion.
            await sql(clone.database, 'SELECT FROM listings FOR KEY SHARE NOWAIT');
            await sql(clone.database, 'SELECT FROM promotions FOR UPDATE NOWAIT');
            seen += 1;
            return { added: nothing, changed: nothing, removed: nothing, collisions: nothing };
          },
        },
      },
    );
    assert.equal(seen, 1);
    await imported(homes);
  });

  // Spec: FILE-11.
  test('a home that is changed keeps its ID; the others stay; a new one gets an ID', async () => {
    const [known] = await listingsNow();
    const { listingId: _, ...first } = homes.listings![0]!;
    const changed: CatalogListing = { ...first, name: 'Renamed', sleeps: 2 };
    const added: CatalogListing = { ...first, slug: 'added', name: 'Added' };
    const file = { ...homes, listings: [changed, added], promotions: [] };
    const result = await imported(file);
    assert.deepEqual(changesOf(result), { listings: [`~${first.slug}`, '+added'] });
    assert.deepEqual(membersOf(result, 'listings', first.slug), [
      `/name: ${JSON.stringify(known!.name)} → "Renamed"`,
      `/sleeps: ${known!.sleeps} → 2`,
    ]);
    const now = await listingsNow();
    assert.equal(now.length, 121);
    assert.deepEqual(now[0], { ...known, name: 'Renamed', sleeps: 2 });
    assert.equal(now[120]!.slug, 'added');
    assert.match(now[120]!.listingId, /^[0-9a-f]{8}-.{4}-7/);
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
    const [problem] = problemsOf(await imported(file(6)));
    assert.match(problem!, /^\d+ \/promotions\/0\/maxUses: must not be less than .* so far: 7$/);
    assert.deepEqual(changesOf(await imported(file(7))), { promotions: [`~${code}`] });
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
    assert.deepEqual(changesOf(await imported(file(7))), {});
  });

  // Spec: FILE-1.
  test('with a problem nothing at all is written', async () => {
    const untouched = await written();
    const [first, second] = homes.listings!;
    const other = { ...first!, listingId: '0193a5c4-2f00-7000-8000-00000000000a' };
    const taken = { ...first!, slug: 'new-home', listingId: second!.listingId! };
    const renamed = { ...second!, name: 'Renamed' };
    const block = { listing: first!.slug, from: '2027-01-01', to: '2027-01-05' };
    const [, , collection] = homes.catalog.collections!;
    const refused: [change: object, problem: string][] = [
      [
        { listings: [renamed, other] },
        `/listings/1/listingId: must be its existing ID: ${first!.listingId}`,
      ],
      [{ listings: [taken] }, `/listings/0/listingId: is the ID of ${second!.slug}`],
      [
        { blocks: [block] },
        '/blocks/0: blocks are not supported by the simulation, whose availability is artificial',
      ],
      [
        {
          catalog: { ...homes.catalog, slug: 'elsewhere', collections: [collection] },
          listings: [],
          promotions: [],
        },
        `/catalog/collections/0/collectionId: is the ID of another collection: ${collection!.slug}`,
      ],
      [
        { catalog: { ...homes.catalog, slug: 'elsewhere', collections: [] }, listings: [] },
        '/promotions/0/code: is a code of the catalog alder-and-tarn',
      ],
    ];
    for (const [change, problem] of refused) {
      const problems = problemsOf(await imported({ ...homes, ...change }));
      assert.ok(
        problems.some((each) => each.replace(/^\d+ /, '') === problem),
        `${problem} is not in ${problems.join('\n')}`,
      );
    }
    assert.deepEqual(await written(), untouched);
  });
});

suite('catalog import › several catalogs', () => {
  let clone: TestDatabase;
  before(async () => {
    clone = await createTestDatabase();
  });
  after(() => clone.drop());
  beforeEach(async () => {
    await imported(small('a', 'b', 'c'), { mode: 'replace' });
  });

  const imported = (file: object, options?: Partial<ImportOptions>) =>
    importFile(clone.database, file, options);
  const written = () => sql(clone.database, writtenText);
  const order = async (catalog = 'small') =>
    (
      await sql<{ slug: string }>(
        clone.database,
        `SELECT l.slug FROM listings l JOIN catalog_listings cl USING (listing_id)
          JOIN catalogs c USING (catalog_id)
          WHERE c.slug = $1 AND cl.withdrawn_at IS NULL ORDER BY cl.position`,
        [catalog],
      )
    )
      .map(({ slug }) => slug)
      .join(' ');
  const revision = async () => (await readRevision(clone.database)).revision;

  const ratesFile = (lines: readonly string[]) =>
    importRates(clone.database, Buffer.from(`listing,from,to,nightly\n${lines.join('\n')}`), {
      actor: 'test',
      dryRun: true,
      allowUnusual: false,
    });

  test('a promotion takes off as much as a file can say, and later less', async () => {
    for (const amount of [1_000_000_000_000, 2_147_483_648, 2_147_483_647, 1]) {
      const promotions = [{ code: 'SMALL10', label: 'Off', amount, currency: 'IDR' }];
      const file = { ...small('a', 'b', 'c'), promotions };
      assert.deepEqual(changesOf(await imported(file)), { promotions: ['~SMALL10'] });
      assert.deepEqual(changesOf(await imported(file)), {});
      const [found] = await lockPromotions(clone.database, null, ['SMALL10']);
      assert.equal(found?.amount, amount);
    }
  });

  // Spec: FILE-17.
  test('a promotion has four decimals of percent, also after the release before has changed it', async () => {
    const percentOf = async () =>
      (await lockPromotions(clone.database, null, ['SMALL10']))[0]?.percent;
    for (const percent of [12.3456, 0.0099, 33.3333, 100]) {
      const promotions = [{ code: 'SMALL10', label: 'Off', percent }];
      const file = { ...small('a', 'b', 'c'), promotions };
      assert.deepEqual(changesOf(await imported(file)), { promotions: ['~SMALL10'] });
      assert.deepEqual(changesOf(await imported(file)), {});
      assert.equal(await percentOf(), percent);
    }
    await sql(clone.database, `UPDATE promotions SET off = 2050 WHERE code = 'SMALL10'`);
    assert.equal(await percentOf(), 20.5);
    const tooFine = [{ code: 'SMALL10', label: 'Off', percent: 1.00001 }];
    const refused = await imported({ ...small('a', 'b', 'c'), promotions: tooFine });
    assert.ok('problems' in refused);
    assert.match(refused.problems.first[0]!.message, /at most four decimals/);
  });

  test('rates › 150,000 lines with problems are refused with all of them', async () => {
    const lines = Array.from({ length: 150_001 }, () => 'a,2027-01-01,2027-01-01,1');
    const result = await ratesFile(lines);
    assert.equal('problems' in result && result.problems.length, 150_000);
  });

  test('a merge keeps what the file does not name, and appends what is new', async () => {
    assert.deepEqual(changesOf(await imported(small('d'))), {
      listings: ['+d'],
      promotions: ['~SMALL10'],
    });
    assert.equal(await order(), 'a b c d');
  });

  test('a merge orders the listings of the file among themselves', async () => {
    const file = { ...small('c', 'a'), promotions: [] };
    assert.deepEqual(changesOf(await imported(file)), { moved: ['2'] });
    assert.equal(await order(), 'c b a');
    assert.deepEqual(changesOf(await imported(file)), {});
  });

  test('a new listing in the middle of a merge moves nothing the second time', async () => {
    const file = { ...small('a', 'y', 'b', 'c'), promotions: [] };
    await imported(file);
    assert.equal(await order(), 'a y b c');
    assert.deepEqual(changesOf(await imported(file)), {});
  });

  // Spec: FILE-2.
  test('a replacement withdraws the rest, and orders everything', async () => {
    const result = await imported(small('x', 'c', 'a'), { mode: 'replace' });
    assert.deepEqual(changesOf(result), {
      listings: ['+x', '-b'],
      promotions: ['~SMALL10'],
      moved: ['1'],
    });
    assert.equal(await order(), 'x c a');
    assert.deepEqual(changesOf(await imported(small('x', 'c', 'a'), { mode: 'replace' })), {});
  });

  test('a replacement without one listing writes no other', async () => {
    const since = await revision();
    const file = { ...small('b', 'c'), promotions: [] };
    const changes = changesOf(await imported(file, { mode: 'replace' }));
    assert.deepEqual(changes, { listings: ['-a'], promotions: ['-SMALL10'] });
    assert.equal(await order(), 'b c');
    const rows = await sql<{ slug: string }>(
      clone.database,
      'SELECT slug FROM listings WHERE revision > $1',
      [since],
    );
    assert.deepEqual(rows, [{ slug: 'a' }]);
  });

  test('what was withdrawn is sold again when it is named again', async () => {
    const empty = { ...small(), promotions: [] };
    await imported(empty, { mode: 'replace' });
    assert.equal(await order(), '');
    assert.deepEqual(changesOf(await imported(small('b'))), {
      listings: ['+b'],
      promotions: ['+SMALL10'],
    });
    assert.equal(await order(), 'b');
    const [row] = await sql(
      clone.database,
      `SELECT withdrawn_at FROM promotions WHERE code = 'SMALL10'`,
    );
    assert.deepEqual(row, { withdrawn_at: null });
  });

  test('collections: added, changed, moved, and removed by a replacement', async () => {
    const file = small('a', 'b', 'c');
    const [coast, hills] = file.catalog.collections!;
    const collections = [
      { ...hills!, name: 'Mountains' },
      { slug: 'lakes', name: 'Lakes' },
      coast!,
    ];
    const changed = { ...file, catalog: { ...file.catalog, collections } };
    assert.deepEqual(changesOf(await imported(changed, { mode: 'replace' })), {
      collections: ['~hills', '+lakes'],
      moved: ['2'],
    });
    assert.deepEqual(changesOf(await imported(changed)), {});
    assert.deepEqual(changesOf(await imported(file, { mode: 'replace' })), {
      collections: ['~hills', '-lakes'],
      moved: ['2'],
    });
  });

  test('a collection that comes back has its old ID, and no other', async () => {
    const file = small('a', 'b', 'c');
    const [coast, hills] = file.catalog.collections!;
    const idOfHills = async () => {
      const [row] = await sql<{ id: string }>(
        clone.database,
        `SELECT collection_id AS id FROM collections JOIN catalogs c USING (catalog_id)
          WHERE collections.slug = 'hills' AND c.slug = 'small'`,
      );
      return row!.id;
    };
    const id = await idOfHills();
    const withHills = (hill: object) => ({
      ...file,
      catalog: { ...file.catalog, collections: [coast!, { ...hills!, ...hill }] },
    });
    const without = { ...file, catalog: { ...file.catalog, collections: [coast!] } };
    assert.deepEqual(changesOf(await imported(without, { mode: 'replace' })), {
      collections: ['-hills'],
    });
    assert.deepEqual(changesOf(await imported(without, { mode: 'replace' })), {});
    const other = '0193a5c4-2f00-7000-8000-00000000000b';
    const refused = await imported(withHills({ collectionId: other }));
    assert.ok('problems' in refused, 'another ID is refused');
    assert.deepEqual(changesOf(await imported(withHills({}))), { collections: ['+hills'] });
    assert.equal(await idOfHills(), id);
    assert.deepEqual(changesOf(await imported(withHills({ collectionId: id }))), {});
  });

  test('blocks on taken nights are reported together with other problems', async () => {
    const block = (listing: string, from: string, to: string) => ({ listing, from, to });
    const base = { ...small('a', 'b', 'c'), blocks: [block('a', '2030-02-01', '2030-02-05')] };
    await imported(base, { blocks: blockImport });
    const wrong = {
      ...small('new', 'a', 'b'),
      blocks: [
        block('a', '2030-02-04', '2030-02-06'),
        block('nowhere', '2030-02-04', '2030-02-06'),
        block('b', '2030-02-01', '2030-02-05'),
        block('new', '2030-02-01', '2030-02-05'),
        block('b', '2030-02-04', '2030-02-06'),
      ],
    };
    wrong.listings![0]!.currency = 'EUX';
    for (const mode of ['merge', 'replace'] as const) {
      const problems = problemsOf(await imported(wrong, { mode, blocks: blockImport }));
      assert.deepEqual(
        problems.map((problem) => problem.replace(/^\d+ /, '')),
        [
          '/listings/0/currency: is not a currency of ISO 4217',
          ...(mode === 'merge'
            ? ['/blocks/0: overlaps a block from 2030-02-01 to 2030-02-05']
            : []),
          '/blocks/1/listing: there is no listing nowhere in this catalog',
          '/blocks/4: overlaps a block from 2030-02-01 to 2030-02-05',
        ],
      );
    }
  });

  test('a block for exactly the nights of a block from a channel is one of the file from then on', async () => {
    const file = {
      ...small('a'),
      blocks: [{ listing: 'a', from: '2030-03-01', to: '2030-03-05', reason: 'Roof' }],
    };
    await imported(small('a'));
    await sql(
      clone.database,
      `INSERT INTO occupancies (listing_id, nights, kind, source)
        SELECT listing_id, '[2030-03-01,2030-03-05)', 'block', 'channel' FROM listings WHERE slug = 'a'`,
    );
    const changes = async () => changesOf(await imported(file, { blocks: blockImport }));
    assert.deepEqual(await changes(), { blocks: ['~a 2030-03-01 to 2030-03-05'] });
    assert.deepEqual(await changes(), {});
    const stored = await sql(
      clone.database,
      `SELECT source, reason FROM occupancies WHERE nights = '[2030-03-01,2030-03-05)'`,
    );
    assert.deepEqual(stored, [{ source: 'file', reason: 'Roof' }]);
  });

  test('a replacement keeps the blocks of homes that it does not name and another catalog sells', async () => {
    const blocks = ['a', 'b'].map((listing) => ({
      listing,
      from: '2030-01-01',
      to: '2030-01-05',
    }));
    const both = { ...small('a', 'b', 'c'), blocks };
    await imported(both, { mode: 'replace', blocks: blockImport });
    const blocked = async () =>
      (
        await sql<{ slug: string }>(
          clone.database,
          `SELECT l.slug FROM occupancies o JOIN listings l USING (listing_id)
            WHERE o.kind = 'block' ORDER BY l.slug`,
        )
      )
        .map(({ slug }) => slug)
        .join(' ');
    const other = {
      ...small('a'),
      catalog: { ...small('a').catalog, slug: 'elsewhere' },
      promotions: [],
    };
    await imported({ ...other, blocks: blocks.slice(0, 1) }, { blocks: blockImport });
    await imported({ ...other, listings: [] }, { mode: 'replace', blocks: blockImport });
    assert.equal(await blocked(), 'a b');
    await imported({ ...small('b'), blocks: [] }, { mode: 'replace', blocks: blockImport });
    assert.equal(await blocked(), '', 'a is sold by nobody now; b is named without its block');
  });

  test('a replacement counts all blocks that it removes, and shows the first 1,000', async () => {
    const blocks = Array.from({ length: 1_001 }, (_, at) => {
      const [from, to] = [dateText(30_000 + 2 * at), dateText(30_001 + 2 * at)];
      return { listing: 'a', from, to };
    });
    await imported({ ...small('a'), blocks }, { blocks: blockImport });
    const result = await imported(small('a'), { mode: 'replace', blocks: blockImport });
    assert.ok('difference' in result);
    const { withdrawn, entries } = result.difference.blocks;
    assert.deepEqual([withdrawn, entries.length], [1_001, 1_000]);
  });

  test('a listing of two catalogs has one content; its place belongs to each', async () => {
    const other = small('b');
    const file = {
      ...other,
      catalog: { ...other.catalog, slug: 'other', collections: [{ slug: 'coast', name: 'Sea' }] },
      listings: [{ ...other.listings![0]!, name: 'Shared' }],
      promotions: [],
    };
    const [old] = await sql<{ revision: number }>(
      clone.database,
      `SELECT revision FROM catalogs WHERE slug = 'small'`,
    );
    const result = await imported(file, { mode: 'replace' });
    assert.deepEqual(changesOf(result)['listings'], ['+b']);
    assert.deepEqual(membersOf(result, 'listings', 'b'), ['/name: "B" → "Shared"']);
    assert.equal(await order(), 'a b c');
    assert.equal(await order('other'), 'b');
    const [now] = await sql<{ revision: number }>(
      clone.database,
      `SELECT revision FROM catalogs WHERE slug = 'small'`,
    );
    assert.ok(now!.revision > old!.revision, 'the other catalog is marked as changed');
  });

  test('--catalog writes the file as another catalog', async () => {
    const file = { ...small('a'), promotions: [] };
    const changes = changesOf(await imported(file, { slug: 'copy' }));
    assert.deepEqual(changes, {
      catalog: ['+copy'],
      collections: ['+coast', '+hills'],
      listings: ['+a'],
    });
    assert.equal(await order('copy'), 'a');
    assert.equal(await order(), 'a b c');
  });

  // Spec: FILE-5.
  test('a dry run says what would change, and changes nothing', async () => {
    const untouched = await written();
    const file = small('z', 'b');
    file.listings![1]!.rates = { nightly: 12_000, weekdays: { sat: 15_000 } };
    const result = await imported(file, { mode: 'replace', dryRun: true });
    assert.deepEqual(changesOf(result), {
      listings: ['+z', '~b', '-a', '-c'],
      promotions: ['~SMALL10'],
      moved: ['1'],
    });
    assert.deepEqual(membersOf(result, 'listings', 'b'), [
      '/rates/weekdays/sat: null → 15000',
      '/rates/nightly: 10000 → 12000',
    ]);
    assert.deepEqual(membersOf(result, 'promotions', 'SMALL10'), ['/listings/0: "a" → "z"']);
    assert.deepEqual(await written(), untouched);
  });

  test('an import leaves one audit entry with its counts and its first changes', async () => {
    const file = small('a', 'b', 'c', 'd');
    file.listings![1]!.rates.nightly = 12_000;
    await imported(file);
    const rows = await sql<{ actor: string; details: Record<string, unknown> }>(
      clone.database,
      `SELECT actor, details FROM audit_entries WHERE action = 'catalog.import'
        ORDER BY entry_id DESC LIMIT 1`,
    );
    assert.equal(rows[0]!.actor, 'test');
    const { catalog, changes, first } = rows[0]!.details as {
      catalog: string;
      changes: Record<string, unknown>;
      first: object[];
    };
    assert.equal(catalog, 'small');
    assert.deepEqual(changes['listings'], { added: 1, changed: 1, withdrawn: 0 });
    assert.deepEqual(
      first.filter((change) => 'name' in change && ['b', 'd'].includes(change.name as string)),
      [
        {
          kind: 'listings',
          change: 'changed',
          name: 'b',
          currency: 'EUR',
          members: [{ path: '/rates/nightly', from: 10_000, to: 12_000 }],
        },
        { kind: 'listings', change: 'added', name: 'd', currency: 'EUR', members: [] },
      ],
    );
  });
});
