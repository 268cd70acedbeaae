/** The index of taken nights, and searches with it, against the plain SQL answer, while nights change in several processes. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, afterEach, before, suite, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import type pg from 'pg';
import type { CatalogView, PublishedListing } from '../../src/catalog/index.ts';
import { isRefusal, type Refusal } from '../../src/contract/errors.ts';
import { segmentsOf } from '../../src/catalog/search-index/segments.ts';
import {
  type Availability,
  openNightsIndex,
  readFreeListings,
  readOpenNights,
  sweepNightChanges,
} from '../../src/inventory/index.ts';
import { readSearchCursor, searchCursor } from '../../src/inventory/search/cursor.ts';
import { findHomes, type ResultPosition } from '../../src/inventory/search/find-homes.ts';
import { homeSearchOf, type HomeSearch } from '../../src/inventory/search/home-search.ts';
import type { Database } from '../../src/platform/postgres/database.ts';
import { DatabaseUnavailableError } from '../../src/platform/postgres/database-errors.ts';
import {
  dateText,
  type Listing,
  partyRefusal,
  priceStay,
  stayRuleRefusal,
  todayAt,
} from '../../src/pricing/index.ts';
import type { Loading } from './loading.ts';
import { listings as anyListings } from '../harness/arbitraries.ts';
import { easyStays } from '../harness/catalog.ts';
import { eventually } from '../harness/eventually.ts';
import { programWords } from '../harness/killed-program.ts';
import { createTestDatabase, type TestDatabase } from '../harness/postgres.ts';
import { sql } from '../harness/rows.ts';
import { runs } from '../harness/runs.ts';

const program = new URL('loading.ts', import.meta.url);
const dayMs = 86_400_000;
const today = Math.floor(Date.now() / dayMs);
const never = new AbortController().signal;
const homesAtMost = 40;

const insertText = `INSERT INTO occupancies (listing_id, nights, kind, source)
  VALUES ($1, daterange(date '1970-01-01' + $2::integer, date '1970-01-01' + $3::integer), 'block', 'staff')
  ON CONFLICT DO NOTHING`;
const changeTexts = {
  take: insertText,
  free: `DELETE FROM occupancies WHERE listing_id = $1
    AND nights && daterange(date '1970-01-01' + $2::integer, date '1970-01-01' + $3::integer)`,
  // To the first nights that are free after all others.
  move: `UPDATE occupancies o SET nights = daterange(later.day, later.day + (upper(nights) - lower(nights)))
    FROM (SELECT max(upper(nights)) AS day FROM occupancies WHERE listing_id = $1) later
    WHERE o.occupancy_id = (SELECT occupancy_id FROM occupancies WHERE listing_id = $1
      AND nights && daterange(date '1970-01-01' + $2::integer, date '1970-01-01' + $3::integer)
      ORDER BY lower(nights) LIMIT 1)`,
};
type Change = keyof typeof changeTexts;

const takeManyText = `INSERT INTO occupancies (listing_id, nights, kind, source)
  SELECT home, daterange(date '1970-01-01' + first, date '1970-01-01' + after_last), 'block', 'staff'
  FROM unnest($1::uuid[], $2::integer[], $3::integer[]) AS stay (home, first, after_last)
  ON CONFLICT DO NOTHING`;
const freeText = `SELECT home AS id, stay.at::integer AS at FROM unnest($1::uuid[]) AS home,
    unnest($2::integer[], $3::integer[]) WITH ORDINALITY AS stay (first, after_last, at)
  WHERE NOT EXISTS (SELECT FROM occupancies WHERE listing_id = home
    AND nights && daterange(date '1970-01-01' + first, date '1970-01-01' + after_last))`;

/** A result of a search, and its place in the order of all. */
interface Expected {
  index: number;
  key: number;
  checkIn: number;
  total: number | null;
}

/** Homes with any rules and prices, of which most accept many stays and parties. */
const someHomes = fc
  .record({
    listing: anyListings(),
    isEasy: fc.integer({ min: 0, max: 3 }).map((n) => n > 0),
    currency: fc.constantFrom('EUR', 'JPY'),
  })
  .map(({ listing, isEasy, currency }): Listing => {
    const { sleeps, stayRules } = listing;
    return isEasy
      ? { ...listing, currency, sleeps: sleeps && sleeps + 3, stayRules: easyStays }
      : { ...listing, currency, stayRules };
  });

const listedAtMost = 24;
const someStays = fc.array(
  fc.record({
    home: fc.nat(listedAtMost - 1),
    from: fc.nat(25),
    nights: fc.integer({ min: 1, max: 9 }),
  }),
  { maxLength: 30 },
);

type ValueOf<A> = A extends fc.Arbitrary<infer T> ? T : never;

/** When a change is committed. Within a page: after its free homes are known, before their rules are decided. */
const commits = ['between pages', 'during the page', 'within the page', 'after the page'] as const;

/** A change of nights. */
const nightStep = fc.record({
  kind: fc.constantFrom<Change>('take', 'take', 'take', 'free', 'move'),
  home: fc.nat(listedAtMost / 2 - 1),
  // Near the stay of the search.
  later: fc.integer({ min: -2, max: 2 }),
  nights: fc.integer({ min: 1, max: 3 }),
  when: fc.constantFrom(...commits),
});
type NightStep = ValueOf<typeof nightStep>;

/** A search, the size of its pages, and what changes while they are read. */
const searchedPages = fc.record({
  body: fc
    .record({
      ahead: fc.integer({ min: 3, max: 20 }),
      nights: fc.integer({ min: 1, max: 5 }),
      party: fc.record({
        adults: fc.integer({ min: 1, max: 4 }),
        pets: fc.constantFrom(0, 0, 0, 1),
      }),
      sort: fc.constantFrom('position' as const, 'total' as const),
      flexDays: fc.constantFrom(0, 0, 1),
    })
    .map(({ ahead, nights, ...rest }) => ({
      ...rest,
      checkIn: dateText(today + ahead),
      checkOut: dateText(today + ahead + nights),
    })),
  size: fc.integer({ min: 1, max: 5 }),
  steps: fc.array(nightStep, { minLength: 1, maxLength: 6 }),
});
type SearchedPages = ValueOf<typeof searchedPages>;

/** A process: its connections, its index, and what a test changes between both. */
interface Process {
  database: Database;
  index: Availability;
  /** Days that the database's time is ahead, as this process reads it. */
  daysAhead: number;
  /** The number of loads. */
  loads: number;
}

/** A database whose time is ahead, as the index reads it, and that counts connections for loads. */
const observed = (database: Database, process: Process): Database => ({
  ...database,
  async query<R>(...asked: Parameters<Database['query']>) {
    const rows = await database.query<R & { now?: number }>(...asked);
    const shift = process.daysAhead * dayMs;
    return rows.map((row) =>
      row.now === undefined ? row : { ...row, now: row.now + shift },
    ) as R[];
  },
  connect() {
    process.loads += 1;
    return database.connect();
  },
});

async function startProcess(
  database: Database,
  lists: readonly (readonly PublishedListing[])[],
): Promise<Process> {
  const process = { database, daysAhead: 0, loads: 0 } as Process;
  process.index = await openNightsIndex(observed(database, process), () => lists);
  return process;
}

const asList = (ids: readonly string[]): PublishedListing[] =>
  ids.map((listingId) => ({ listing: { listingId } }) as PublishedListing);

suite('the index of taken nights', () => {
  let test1: TestDatabase;
  let ids: string[];
  let list: PublishedListing[];
  let writers: pg.Client[];

  before(async () => {
    test1 = await createTestDatabase();
    const rows = await sql<{ id: string }>(
      test1.database,
      'SELECT listing_id AS id FROM listings ORDER BY listing_id LIMIT $1',
      [homesAtMost],
    );
    ids = rows.map(({ id }) => id);
    list = asList(ids);
    writers = await Promise.all([test1.database.connect(), test1.database.connect()]);
  });
  afterEach(async () => {
    for (const writer of writers) await writer.query('ROLLBACK');
  });
  after(async () => {
    await Promise.all(writers.map((writer) => writer.end()));
    await test1.drop();
  });

  const change = (kind: Change, home: number, from: number, nights: number) =>
    sql(test1.database, changeTexts[kind], [ids[home], today + from, today + from + nights]);

  const found = async (
    { index }: Process,
    listings: readonly PublishedListing[],
    stay: { checkIn: number; checkOut: number },
  ): Promise<string[]> => {
    const free = await index.freeHomes(listings, stay, never);
    const homes: string[] = [];
    for (let at = free.nextFree(0); at !== -1; at = free.nextFree(at + 1)) {
      homes.push(listings[at]!.listing.listingId);
    }
    const isFree = listings.filter((_, at) => free.isFree(at));
    assert.deepEqual(
      isFree.map(({ listing }) => listing.listingId),
      homes,
    );
    assert.equal(free.count(), homes.length);
    return homes;
  };

  async function assertAsSql(
    process: Process,
    listings: readonly PublishedListing[],
    from: number,
    nights: number,
  ): Promise<void> {
    const stay = { checkIn: today + from, checkOut: today + from + nights };
    const asked = listings.map(({ listing }) => listing.listingId);
    const free = await readFreeListings(test1.database, asked, stay);
    assert.deepEqual(
      await found(process, listings, stay),
      asked.filter((id) => free.has(id)),
    );
    const [id = ''] = asked;
    const calendar = await process.index.openNights(id, stay.checkIn, 90, never);
    const read = await readOpenNights(test1.database, id, stay.checkIn, 90);
    // The index does not tell a block from a stay.
    assert.deepEqual(
      calendar,
      read.map((state) => (state === 1 ? 1 : 0)),
    );
  }

  test('answers as plain SQL does, while several writers change nights and commit in any order', async () => {
    const processes = [
      await startProcess(test1.database, [list.slice(0, 20)]),
      await startProcess(test1.database, [list.toReversed()]),
    ];
    const when = {
      from: fc.integer({ min: 0, max: 640 }),
      nights: fc.integer({ min: 1, max: 90 }),
    };
    const step = fc.record({
      kind: fc.constantFrom<Change>('take', 'take', 'take', 'free', 'move'),
      // Each writer has homes of its own, so that none waits for another. The last commits at once.
      writer: fc.nat(2),
      home: fc.nat(homesAtMost / 4),
      ...when,
      nights: fc.integer({ min: 1, max: 30 }),
      ends: fc.constantFrom('COMMIT', 'ROLLBACK', null, null, null),
      asks: fc.option(
        fc.record({
          process: fc.nat(1),
          homes: fc.shuffledSubarray([...ids.keys()], { minLength: 1 }),
          ...when,
        }),
      ),
    });
    const isOpen = [false, false];
    const end = async (writer: number, how: string) => {
      if (isOpen[writer]) await writers[writer]!.query(how);
      isOpen[writer] = false;
    };
    await fc.assert(
      fc
        .asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
          for (const { kind, writer, home, from, nights, ends, asks } of steps) {
            const index = home * 3 + writer;
            if (writer === 2) await change(kind, index, from, nights);
            else {
              if (!isOpen[writer]) await writers[writer]!.query('BEGIN');
              isOpen[writer] = true;
              const values = [ids[index], today + from, today + from + nights];
              await writers[writer]!.query(changeTexts[kind], values);
              if (ends) await end(writer, ends);
            }
            if (!asks) continue;
            const process = processes[asks.process]!;
            await process.index.follow();
            const listings = asks.homes.map((at) => list[at]!);
            await assertAsSql(process, listings, asks.from, asks.nights);
          }
        })
        .afterEach(async () => {
          for (const writer of [0, 1]) await end(writer, 'ROLLBACK');
        }),
      { numRuns: 25 },
    );
    for (const process of processes) {
      await process.index.follow();
      for (const from of [0, 90, 300, 640]) await assertAsSql(process, list, from, 7);
      assert.equal(process.loads, 1, 'nothing was loaded again');
    }
  });

  test('searches find, page by page, what plain SQL and the pricing rules find, while bookings commit', async () => {
    const process = await startProcess(test1.database, []);
    const { vault } = test1.database;
    const [writer] = writers;
    const now = Date.now();
    let compared = 0;

    /** All results of a search, by plain SQL and by pricing every home in full. */
    async function expectedOf(
      listings: readonly PublishedListing[],
      { shifts, party, sort }: HomeSearch,
    ): Promise<Expected[]> {
      const stays = shifts.map(({ stay }) => stay);
      const free = await sql<{ id: string; at: number }>(test1.database, freeText, [
        listings.map(({ listing }) => listing.listingId),
        stays.map(({ checkIn }) => checkIn),
        stays.map(({ checkOut }) => checkOut),
      ]);
      const isFree = new Set(free.map(({ id, at }) => `${id} ${at}`));
      const results = listings.flatMap(({ listing }, index): Expected[] => {
        const day = todayAt(now, listing.timeZone);
        if (partyRefusal(listing, party)) return [];
        const possible = stays
          .filter((_, at) => isFree.has(`${listing.listingId} ${at + 1}`))
          .filter(
            (stay) => stay.checkIn >= day && !stayRuleRefusal(listing, stay, now, () => false),
          )
          .map(({ checkIn, checkOut }) => {
            const asked = { today: day, adjustmentPercent: 0 };
            const charges = priceStay(listing, { checkIn, checkOut }, party, asked);
            return { checkIn, total: charges?.total ?? null };
          });
        const totals = possible.map(({ total }) => total ?? Infinity);
        const best = possible[totals.indexOf(Math.min(...totals))];
        return best ? [{ ...best, index, key: sort === 'total' ? Math.min(...totals) : 0 }] : [];
      });
      return results.toSorted((a, b) => (a.key === b.key ? a.index - b.index : a.key - b.key || 0));
    }

    /** Changes nights of a home that no open transaction has. */
    const commit = ({ kind, home, later, nights }: NightStep, { shifts }: HomeSearch) =>
      change(kind, home * 2, shifts[0]!.stay.checkIn - today + later, nights);

    async function leaveOpen(
      { kind, home, later, nights }: NightStep,
      { shifts }: HomeSearch,
    ): Promise<void> {
      const from = shifts[0]!.stay.checkIn + later;
      await writer!.query('BEGIN');
      await writer!.query(changeTexts[kind], [ids[home * 2 + 1], from, from + nights]);
    }

    async function compare(
      listings: readonly PublishedListing[],
      { body, size, steps }: SearchedPages,
    ): Promise<void> {
      const search = homeSearchOf(body, 0);
      const segments = segmentsOf(listings, []);
      const view = { listings, segments: () => segments } as Partial<CatalogView> as CatalogView;
      const operation = 'distribution.listing.search';
      const owner = { operation, applicationId: ids[0]!, filters: {} } as const;
      const indexOf = new Map(listings.map(({ listing }, index) => [listing.listingId, index]));
      let cursor: string | null = null;
      for (const step of [...steps, ...listings.map(() => null)]) {
        await writer!.query('COMMIT');
        if (step?.when === 'between pages') await commit(step, search);
        if (step?.when === 'after the page') await leaveOpen(step, search);
        await process.index.follow();
        const expected = await expectedOf(listings, search);
        const isDuring = step?.when === 'during the page' || step?.when === 'within the page';
        const changing = isDuring ? commit(step, search).then(() => process.index.follow()) : null;
        const last: ResultPosition | Refusal | null =
          cursor === null ? null : readSearchCursor(vault, owner, search.sort, cursor);
        assert.ok(!isRefusal(last));
        const free = await Promise.all(
          search.shifts.map(async ({ stay }) => process.index.freeHomes(listings, stay, never)),
        );
        if (step?.when === 'within the page') await changing;
        const sources = { view, free, now, signal: never };
        const page = await findHomes(search, sources, { after: last, atMost: size + 1 });
        await changing;
        const lastIndex = last ? indexOf.get(last.sortKey.listingId)! : -1;
        const isLater = ({ key, index }: Expected): boolean =>
          !last || key > last.key || (key === last.key && index > lastIndex);
        const pageOf = (all: readonly Expected[]): unknown[] =>
          all
            .filter(isLater)
            .slice(0, size + 1)
            .map(({ index, key, checkIn, total }) => [
              listings[index]!.sortKey,
              key,
              checkIn,
              total,
            ]);
        const seen = page.map(({ sortKey, key, stay, total }) => [
          sortKey,
          key,
          stay.checkIn,
          total,
        ]);
        // A change during the page is in it or not.
        if (!isDeepStrictEqual(seen, pageOf(expected))) {
          assert.deepEqual(seen, pageOf(await expectedOf(listings, search)));
        }
        compared += page.length;
        if (page.length <= size) return;
        cursor = searchCursor(vault, owner, search.sort, page[size - 1]!);
      }
    }

    const catalogs = fc.array(someHomes, { minLength: 8, maxLength: listedAtMost }).map((some) =>
      some.map((listing, at): PublishedListing => {
        const listingId = ids[at]!;
        // Some homes have the same position.
        const sortKey = { position: Math.floor(at / 3), listingId };
        return { listing: { ...listing, listingId }, sortKey } as PublishedListing;
      }),
    );
    await fc.assert(
      fc
        .asyncProperty(
          catalogs,
          someStays,
          fc.array(searchedPages, { minLength: 2, maxLength: 4 }),
          async (listings, stays, searches) => {
            await sql(test1.database, 'DELETE FROM occupancies');
            await sql(test1.database, takeManyText, [
              stays.map(({ home }) => ids[home]),
              stays.map(({ from }) => today + from),
              stays.map(({ from, nights }) => today + from + nights),
            ]);
            for (const searched of searches) await compare(listings, searched);
          },
        )
        .afterEach(async () => void (await writer!.query('ROLLBACK'))),
      { numRuns: runs(50), endOnFailure: true },
    );
    assert.ok(compared > 500, `only ${compared} results were compared`);
    assert.equal(process.loads, 1, 'nothing was loaded again');
  });

  test('what is committed while it loads is not missed', async () => {
    const [writer] = writers;
    await writer!.query('BEGIN; LOCK TABLE occupancies IN ACCESS EXCLUSIVE MODE');
    const starting = startProcess(test1.database, [list]);
    await waitingCopy();
    await writer!.query(insertText, [ids[1], today + 700, today + 702]);
    await writer!.query('COMMIT');
    const process = await starting;
    await process.index.follow();
    await assertAsSql(process, list, 700, 2);
    assert.equal(process.loads, 1);
  });

  /** So many changes that everything must be loaded again. */
  const changeTooMuch = () =>
    sql(
      test1.database,
      `INSERT INTO night_changes (listing_id, nights)
        SELECT $1, daterange(current_date, current_date + 1) FROM generate_series(1, 20001)`,
      [ids[0]],
    );

  const waitingCopy = () => waiting('COPY (SELECT listing_id%');

  /** The backend of such a statement that waits for a lock. */
  async function waiting(statement: string): Promise<number> {
    let pid = 0;
    await eventually(async () => {
      const [row] = await sql<{ pid: number }>(
        test1.database,
        `SELECT pid FROM pg_stat_activity WHERE datname = current_database()
          AND query LIKE $1 AND wait_event_type = 'Lock'`,
        [statement],
      );
      pid = row?.pid ?? 0;
      return pid !== 0;
    }, 20_000);
    return pid;
  }

  test('the connection breaks while it loads again: the old answers stay, and the next try loads', async () => {
    const process = await startProcess(test1.database, [list]);
    const [writer] = writers;
    await changeTooMuch();
    await writer!.query('BEGIN; LOCK TABLE occupancies IN ACCESS EXCLUSIVE MODE');
    const knownUntil = process.index.knownUntil();
    const following = process.index.follow();
    following.catch(() => undefined);
    await sql(test1.database, 'SELECT pg_terminate_backend($1)', [await waitingCopy()]);
    await assert.rejects(following, DatabaseUnavailableError);
    assert.equal(process.index.knownUntil(), knownUntil);
    const stay = { checkIn: today + 3, checkOut: today + 5 };
    await writer!.query('ROLLBACK');
    assert.ok((await found(process, list, stay)).length > 0);
    assert.equal(process.loads, 2);
    await process.index.follow();
    assert.equal(process.loads, 3);
    await assertAsSql(process, list, 700, 2);
  });

  test('the connection breaks while it follows: the old answers stay, and the next reading misses nothing', async () => {
    const process = await startProcess(test1.database, [list]);
    const stay = { checkIn: today + 728, checkOut: today + 730 };
    const [writer] = writers;
    assert.ok((await found(process, list, stay)).includes(ids[11]!));
    await change('take', 11, 728, 2);
    await writer!.query('BEGIN; LOCK TABLE night_changes IN ACCESS EXCLUSIVE MODE');
    const knownUntil = process.index.knownUntil();
    const following = process.index.follow();
    following.catch(() => undefined);
    const pid = await waiting('SELECT pg_current_snapshot()%night_changes%');
    await sql(test1.database, 'SELECT pg_terminate_backend($1)', [pid]);
    await assert.rejects(following, DatabaseUnavailableError);
    assert.equal(process.index.knownUntil(), knownUntil);
    assert.ok((await found(process, list, stay)).includes(ids[11]!));
    await writer!.query('ROLLBACK');
    await process.index.follow();
    await assertAsSql(process, list, 728, 2);
    assert.equal(process.loads, 1);
  });

  test('a process that is killed while it loads leaves nothing behind', async () => {
    const [writer] = writers;
    await writer!.query('BEGIN; LOCK TABLE occupancies IN ACCESS EXCLUSIVE MODE');
    const argument: Loading = { connection: test1.connection };
    const child = spawn(process.execPath, programWords(program, argument), {
      stdio: 'inherit',
    });
    const ended = once(child, 'exit');
    const pid = await waitingCopy();
    child.kill('SIGKILL');
    assert.deepEqual(await ended, [null, 'SIGKILL']);
    await writer!.query('ROLLBACK');
    await eventually(async () => {
      const text = 'SELECT FROM pg_stat_activity WHERE pid = $1';
      return (await sql(test1.database, text, [pid])).length === 0;
    });
    await assertAsSql(await startProcess(test1.database, [list]), list, 700, 2);
  });

  test('removed changes: a process that has followed continues, one that has not loads everything again', async () => {
    const [follower, sleeper] = [
      await startProcess(test1.database, [list]),
      await startProcess(test1.database, [list]),
    ];
    const passTenMinutes = async () => {
      const text = `UPDATE night_changes_kept SET next_at = next_at - interval '11 minutes'`;
      await sql(test1.database, text);
      while ((await sweepNightChanges(test1.database, 900)) === 900);
    };
    await change('take', 5, 710, 3);
    // Other tests on the same server keep rows as long as their transactions are open.
    await eventually(async () => {
      await follower.index.follow();
      await passTenMinutes();
      return (await sql(test1.database, 'SELECT FROM night_changes')).length === 0;
    }, 30_000);
    await change('free', 5, 710, 3);
    for (const process of [follower, sleeper]) {
      await process.index.follow();
      await assertAsSql(process, list, 709, 3);
    }
    assert.deepEqual([follower.loads, sleeper.loads], [1, 2]);
  });

  test('a transaction that is open for long: its changes are kept in the log until it ends', async () => {
    const process = await startProcess(test1.database, [list]);
    const [writer] = writers;
    await writer!.query('BEGIN');
    await writer!.query(insertText, [ids[7], today + 715, today + 717]);
    for (let times = 0; times < 3; times += 1) {
      await process.index.follow();
      await sql(
        test1.database,
        `UPDATE night_changes_kept SET next_at = now() - interval '1 hour'`,
      );
      await sweepNightChanges(test1.database, 5_000);
    }
    await writer!.query('COMMIT');
    await process.index.follow();
    await assertAsSql(process, [list[7]!], 715, 1);
    assert.equal(process.loads, 1);
  });

  test('very many changes at once are loaded, not read one by one', async () => {
    const process = await startProcess(test1.database, [list]);
    await changeTooMuch();
    await change('take', 8, 720, 2);
    await process.index.follow();
    await assertAsSql(process, list, 720, 2);
    assert.equal(process.loads, 2);
    await process.index.follow();
    assert.equal(process.loads, 2);
  });

  test('the window moves with the day of the database, and starts anew after a leap', async () => {
    await sql(test1.database, 'DELETE FROM occupancies');
    // Beyond the window of today, so it is read when the window moves.
    await change('take', 9, 822, 3);
    const process = await startProcess(test1.database, [list]);
    const last = (days: number) => assertAsSql(process, list, 731 + days, 90);
    await last(0);
    for (const [days, loads] of [
      [1, 1],
      [4, 1],
      [400, 2],
    ] as const) {
      process.daysAhead = days;
      await process.index.follow();
      await last(days);
      assert.equal(process.loads, loads);
    }
    const far = { checkIn: today + 2_000, checkOut: today + 2_002 };
    await assert.rejects(
      async () => process.index.freeHomes(list, far, never),
      DatabaseUnavailableError,
    );
    process.daysAhead = 0;
    await process.index.follow();
    await assertAsSql(process, list, 0, 90);
  });

  test('a home that nobody sold when its nights beyond the window were blocked', async () => {
    await sql(test1.database, 'DELETE FROM occupancies WHERE listing_id = $1', [ids[15]]);
    const process = await startProcess(test1.database, [list.toSpliced(15, 1)]);
    await change('take', 15, 823, 2);
    await process.index.follow();
    process.daysAhead = 4;
    await process.index.follow();
    // From now on it is sold.
    await assertAsSql(process, [list[15]!], 735, 90);
    assert.equal(process.loads, 1);
  });

  test('the clock of the database is set back: the answers are as of its new time', async () => {
    const process = await startProcess(test1.database, [list]);
    process.daysAhead = -1 / 24;
    await process.index.follow();
    assert.ok(process.index.knownUntil() < Date.now() - 3_000_000);
  });

  // Spec: RESTORE-5.
  test('another database after a restore: everything is loaded again', async () => {
    const restored = await createTestDatabase();
    try {
      const stay = { checkIn: today + 10, checkOut: today + 12 };
      let current = test1.database;
      const process = await startProcess(
        {
          ...test1.database,
          query: (...asked) => current.query(...asked),
          connect: () => current.connect(),
        },
        [list],
      );
      await change('take', 3, 10, 2);
      await process.index.follow();
      assert.ok(!(await found(process, list, stay)).includes(ids[3]!));
      current = restored.database;
      await process.index.follow();
      assert.deepEqual(await found(process, list, stay), ids);
    } finally {
      await restored.drop();
    }
  });

  test('nights that the process takes itself are known at once; the log has the last word', async () => {
    const process = await startProcess(test1.database, [list]);
    const stay = { checkIn: today + 740, checkOut: today + 742 };
    const isFree = async () => (await found(process, list, stay)).includes(ids[11]!);
    assert.ok(await isFree());
    process.index.took(ids[11]!, stay);
    assert.ok(!(await isFree()));
    await change('take', 11, 740, 2);
    await change('free', 11, 740, 2);
    await process.index.follow();
    assert.ok(await isFree());
  });

  test('nights that the process changes otherwise are known to its next search and calendar', async () => {
    const process = await startProcess(test1.database, [list]);
    const stay = { checkIn: today + 340, checkOut: today + 342 };
    assert.ok((await found(process, list, stay)).includes(ids[14]!));
    await change('take', 14, 340, 2);
    process.index.changed();
    assert.ok(!(await found(process, list, stay)).includes(ids[14]!));
    await change('free', 14, 340, 2);
    process.index.changed();
    const open = await process.index.openNights(ids[14]!, stay.checkIn, 2, never);
    assert.deepEqual([...open], [1, 1]);
  });

  test('nights that another process has freed before this one says that it took them', async () => {
    const process = await startProcess(test1.database, [list]);
    const stay = { checkIn: today + 344, checkOut: today + 346 };
    await change('take', 12, 344, 2);
    await change('free', 12, 344, 2);
    await process.index.follow();
    process.index.took(ids[12]!, stay);
    await process.index.follow();
    await assertAsSql(process, list, 344, 2);
  });

  for (const isLoaded of [false, true]) {
    const how = isLoaded ? 'loads everything' : 'reads the log';
    test(`nights that the process takes while it ${how} stay taken`, async () => {
      const stay = { checkIn: today + 348, checkOut: today + 350 };
      let onQuery = (): void => undefined;
      const process = await startProcess(
        {
          ...test1.database,
          async query<R>(...asked: Parameters<Database['query']>) {
            const rows = await test1.database.query<R>(...asked);
            onQuery();
            return rows;
          },
        },
        [list],
      );
      // A reading that has seen this home before its nights are taken.
      await change('free', 13, 348, 2);
      await sql(
        test1.database,
        `INSERT INTO night_changes (listing_id, nights)
          VALUES ($1, daterange(current_date + 300, current_date + 400))`,
        [ids[13]],
      );
      if (isLoaded) await changeTooMuch();
      onQuery = () => process.index.took(ids[13]!, stay);
      await process.index.follow();
      onQuery = () => undefined;
      const open = await process.index.openNights(ids[13]!, stay.checkIn, 3, never);
      assert.deepEqual([...open], [0, 0, 1]);
      await process.index.follow();
      await assertAsSql(process, list, 348, 2);
    });
  }
});
