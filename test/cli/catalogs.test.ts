/** An operator's own homes by the command line, beside a service that runs in the environment test. */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { after, before, suite, test } from 'node:test';
import sharp from 'sharp';
import { moneyText } from '../../src/contract/money-text.ts';
import { feedOf, type FeedEvent } from '../channels/calendars.ts';
import { eventually } from '../harness/eventually.ts';
import { Partner, type Credentials } from '../harness/partner.ts';
import { Receiver, respond } from '../harness/receiver.ts';
import {
  newInstallation,
  type Ended,
  type Installation,
  type RunningService,
} from './installation.ts';

const project = path.resolve(import.meta.dirname, '../..');
const example = path.join(project, 'examples/harbour-homes/catalog.json');
const own = { LATCHKEY_ENVIRONMENT: 'test' };

interface Counts {
  added: number;
  changed: number;
  withdrawn: number;
}
interface Imported {
  catalog: string;
  dryRun: boolean;
  changes: Record<'listings' | 'blocks' | 'promotions' | 'collections' | 'catalog', Counts> & {
    moved: number;
  };
}

suite('the command line › catalogs, rates, pictures and blocks', () => {
  let installation: Installation;
  let service: RunningService;
  let partner: Partner;
  let feed: Receiver;
  before(async () => {
    installation = await newInstallation();
    feed = await Receiver.start();
    service = await installation.serve(own);
  });
  after(async () => {
    await feed?.close();
    await service?.stop();
    await installation?.remove();
  });

  const run = (...words: string[]): Promise<Ended> => installation.latchkey(words, own);
  async function done<T>(...words: string[]): Promise<T> {
    const { exitCode, stdout, stderr } = await run(...words, '--json');
    assert.deepEqual({ exitCode, stderr }, { exitCode: 0, stderr: '' });
    return JSON.parse(stdout) as T;
  }
  async function refused(...words: string[]): Promise<string> {
    const { exitCode, stdout, stderr } = await run(...words);
    assert.deepEqual({ exitCode, stdout }, { exitCode: 1, stdout: '' }, stderr);
    return stderr;
  }
  async function fileOf(name: string, content: string | Buffer): Promise<string> {
    const file = path.join(path.dirname(installation.dataDir), name);
    await writeFile(file, content);
    return file;
  }
  const exported = async () => (await run('catalog', 'export')).stdout;
  const listingId = async (slug: string) => {
    const { listings } = JSON.parse(await exported()) as {
      listings: { slug: string; listingId: string }[];
    };
    return listings.find((each) => each.slug === slug)!.listingId;
  };
  async function available(slug: string, from: string, to: string): Promise<boolean[]> {
    const { days } = await partner.succeed('inventory.calendar.get', {
      params: { listingId: await listingId(slug) },
      query: { startDate: from, endDate: to },
    });
    return days.map((day) => day.available);
  }

  /** The service follows what other processes change within a second. */
  const shows = (slug: string, from: string, to: string, expected: boolean[]): Promise<void> =>
    eventually(
      async () => isDeepStrictEqual(await available(slug, from, to), expected),
      30_000,
      200,
    );

  test('an empty installation has no catalog to export', async () => {
    assert.deepEqual(await done('catalog', 'list'), { items: [] });
    assert.match(await refused('catalog', 'export'), /There is no catalog yet\. Import one first/);
  });

  test('a dry run describes the example, and leaves nothing', async () => {
    const { exitCode, stdout } = await run('catalog', 'import', example, '--dry-run');
    assert.equal(exitCode, 0);
    assert.match(stdout, /^catalog: 1 added\n {2}\+ harbour-homes\n/);
    assert.match(stdout, /\nlistings: 12 added\n {2}\+ casa-da-mare\n/);
    assert.match(stdout, /\nblocks: 6 added\n {2}\+ casa-da-mare 2027-01-10 to 2027-01-20\n/);
    assert.match(stdout, /This was a dry run: nothing has changed\.\n$/);
    assert.deepEqual(await done('catalog', 'list'), { items: [] });
  });

  test('the example is imported; importing it again changes nothing', async () => {
    const first = await done<Imported>('catalog', 'import', example);
    assert.equal(first.changes.listings.added, 12);
    assert.equal(first.changes.blocks.added, 6);
    assert.equal(first.changes.promotions.added, 3);
    for (const replace of [[], ['--replace']]) {
      const { stdout } = await run('catalog', 'import', example, ...replace);
      assert.equal(stdout, 'Nothing changes.\n');
    }
    const { items } = await done<{ items: object[] }>('catalog', 'list');
    assert.equal(items.length, 1);
    assert.deepEqual(
      { ...items[0], catalogId: '' },
      {
        slug: 'harbour-homes',
        catalogId: '',
        name: 'Harbour Homes',
        discovery: 'brand',
        listings: 12,
        collections: 3,
        promotions: 3,
        applications: 0,
      },
    );
  });

  test('a partner sells from it at once', async () => {
    const application = await done<Credentials>(
      'application',
      'create',
      '--name',
      'Partner',
      '--settlement',
      'partner',
      '--grants',
      'catalog,search,quotes,checkout,signals',
    );
    partner = new Partner(service.baseUrl, { ...application, settlement: 'partner' });
    const { items } = await partner.succeed('distribution.listing.list', { query: { limit: 50 } });
    assert.equal(items.length, 12);
    assert.equal(items[0]!.name, 'Casa da Maré');
    const open = await partner.submittedCheckout();
    const status = await partner.statusOnce(open, ['confirmed']);
    assert.match(status.reference!, /^LK/);
  });

  test('export and import change nothing, and the export has the same bytes', async () => {
    const text = await exported();
    const file = await fileOf('exported.json', text);
    for (const replace of [[], ['--replace']]) {
      assert.equal((await run('catalog', 'import', file, ...replace)).stdout, 'Nothing changes.\n');
    }
    assert.equal(await exported(), text);
    assert.equal(
      (await run('catalog', 'export', '--catalog', 'harbour-homes', '--json')).stdout,
      text,
    );
    assert.match(
      await refused('catalog', 'export', '--catalog', 'other'),
      /There are: harbour-homes/,
    );
  });

  // Spec: OPERATOR-8.
  test('running services sell a change when the command returns', async () => {
    const file = JSON.parse(await readFile(example, 'utf8')) as { listings: { name: string }[] };
    file.listings[0]!.name = 'Casa da Lua';
    const changed = await fileOf('changed.json', JSON.stringify(file));
    const { stdout } = await run('catalog', 'import', changed);
    assert.equal(
      stdout,
      'listings: 1 changed\n  ~ casa-da-mare\n      /name: "Casa da Maré" → "Casa da Lua"\n',
    );
    const { items } = await partner.succeed('distribution.listing.list', { query: { limit: 1 } });
    assert.equal(items[0]!.name, 'Casa da Lua');
    await done('catalog', 'import', example);
  });

  // Spec: FILE-4.
  test('a file with problems is refused with the line of each', async () => {
    const text = (await readFile(example, 'utf8'))
      .replace('"currency": "EUR"', '"currency": "EUX"')
      .replace('"to": "2027-01-20"', '"to": "2027-01-32"');
    const file = await fileOf('wrong.json', text);
    const lineOf = (part: string) => text.slice(0, text.indexOf(part)).split('\n').length;
    assert.equal(
      await refused('catalog', 'import', file),
      `latchkey: ${file} has 2 problems. Nothing was imported.\n` +
        `  line ${lineOf('"EUX"')}: /listings/0/currency is not a currency of ISO 4217\n` +
        `  line ${lineOf('2027-01-32')}: /blocks/0/to is a date that does not exist\n`,
    );
    assert.match(await refused('catalog', 'import', `${file}.none`), /cannot be read: ENOENT/);
    assert.match(await refused('catalog', 'import', installation.dataDir), /cannot be read/);
  });

  test('a block on a stay or another block is refused, and nothing is imported', async () => {
    const { listings, ...head } = JSON.parse(await readFile(example, 'utf8')) as {
      listings: unknown[];
    };
    const blocks = [
      { listing: 'barco-azul', from: '2028-01-01', to: '2028-01-05' },
      { listing: 'casa-da-mare', from: '2027-01-19', to: '2027-01-22' },
      { listing: 'barco-azul', from: '2028-01-04', to: '2028-01-06' },
    ];
    const file = await fileOf('blocks.json', JSON.stringify({ ...head, blocks }, null, 2));
    const problems = await refused('catalog', 'import', file);
    assert.match(
      problems,
      /line \d+: \/blocks\/1 overlaps a block from 2027-01-10 to 2027-01-20\n/,
    );
    assert.match(
      problems,
      /line \d+: \/blocks\/2 overlaps a block from 2028-01-01 to 2028-01-05\n/,
    );
    assert.match(problems, /has 2 problems/);
    assert.deepEqual(await available('barco-azul', '2028-01-02', '2028-01-03'), [true, true]);
    assert.ok(listings.length > 0);
  });

  test('a block takes its nights, and gives them back when it is removed', async () => {
    const words = ['--listing', 'barco-azul', '--from', '2027-02-10', '--to', '2027-02-12'];
    assert.deepEqual(await available('barco-azul', '2027-02-09', '2027-02-12'), [
      true,
      true,
      true,
      true,
    ]);
    const { blockId } = await done<{ blockId: string }>(
      'block',
      'add',
      ...words,
      '--reason',
      'Paint',
    );
    await shows('barco-azul', '2027-02-09', '2027-02-12', [true, false, false, true]);
    const id = await listingId('barco-azul');
    const { items } = await done<{ items: object[] }>('block', 'list', '--listing', id);
    assert.deepEqual(
      items.map((item) => ({ ...item, createdAt: '' })),
      [
        {
          listing: 'barco-azul',
          listingName: 'Barco Azul',
          blockId,
          listingId: id,
          from: '2027-02-10',
          to: '2027-02-12',
          reason: 'Paint',
          source: 'staff',
          createdAt: '',
        },
      ],
    );
    type Page = { items: { listing: string; from: string }[]; nextCursor: string | null };
    const whole = await done<Page>('block', 'list', '--limit', '500');
    assert.equal(whole.nextCursor, null);
    const paged: Page['items'] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const next: string[] = cursor === '' ? [] : ['--cursor', cursor];
      const page: Page = await done<Page>('block', 'list', '--limit', '5', ...next);
      paged.push(...page.items);
      cursor = page.nextCursor;
    }
    assert.ok(whole.items.length > 5, 'there are several pages');
    assert.deepEqual(paged, whole.items);
    assert.deepEqual(await done('block', 'add', ...words, '--reason', 'Paint'), { blockId });
    const other = ['--listing', id, '--from', '2027-02-11', '--to', '2027-02-20'];
    assert.match(
      await refused('block', 'add', ...other),
      /of barco-azul are not free: the block overlaps a block from 2027-02-10 to 2027-02-12/,
    );
    assert.match(
      await refused('block', 'add', ...other.with(1, 'nowhere')),
      /no listing "nowhere"/,
    );
    await done('block', 'remove', '--block', blockId);
    assert.match(await refused('block', 'remove', '--block', blockId), /There is no block/);
    await shows('barco-azul', '2027-02-10', '2027-02-11', [true, true]);
  });

  test('a replacement removes the blocks of files only', async () => {
    const words = ['--listing', 'barco-azul', '--from', '2027-02-10', '--to', '2027-02-12'];
    const { blockId } = await done<{ blockId: string }>('block', 'add', ...words);
    const { blocks, ...rest } = JSON.parse(await readFile(example, 'utf8')) as {
      blocks: unknown[];
    };
    const file = await fileOf('fewer.json', JSON.stringify({ ...rest, blocks: blocks.slice(1) }));
    assert.equal((await run('catalog', 'import', file)).stdout, 'Nothing changes.\n');
    assert.equal(
      (await run('catalog', 'import', file, '--replace')).stdout,
      'blocks: 1 removed\n  - casa-da-mare 2027-01-10 to 2027-01-20\n',
    );
    await done('block', 'remove', '--block', blockId);
    await done('catalog', 'import', example);
  });

  // Spec: FILE-7.
  test('rates from CSV change the price of their nights', async () => {
    const text = 'listing,from,to,nightly,minNights\r\nbarco-azul,2027-03-01,2027-03-03,12300,\r\n';
    const file = await fileOf('rates.csv', `\uFEFF${text}`);
    const unusual = { nights: 0, first: [] };
    const counts = { listings: 1, added: 1, changed: 0, unchanged: 0, unusual };
    const { changes, ...dry } = await done<{ changes: unknown[] }>(
      'rate',
      'import',
      file,
      '--dry-run',
    );
    assert.deepEqual(dry, { dryRun: true, ...counts });
    assert.deepEqual(changes, [
      {
        listing: 'barco-azul',
        currency: 'EUR',
        before: null,
        after: { from: '2027-03-01', to: '2027-03-03', nightly: 12_300 },
      },
    ]);
    assert.equal(
      (await run('rate', 'import', file, '--dry-run')).stdout.split('\n')[0],
      '+ barco-azul 2027-03-01 to 2027-03-03: EUR 123.00',
    );
    assert.deepEqual(await done('rate', 'import', file), { dryRun: false, ...counts });
    assert.deepEqual(await done('rate', 'import', file), {
      dryRun: false,
      ...counts,
      added: 0,
      unchanged: 1,
    });
    const quote = await partner.succeed('reservation.quote.create', {
      body: {
        quoteId: crypto.randomUUID(),
        listingId: await listingId('barco-azul'),
        checkIn: '2027-03-01',
        checkOut: '2027-03-03',
        party: { adults: 2 },
      },
    });
    assert.equal(quote.charges.lines[0]!.amount, 24_600);
  });

  // Spec: FILE-14.
  test('rates in units of the currency, as a spreadsheet program saves them', async () => {
    const text =
      'sep=;\r\nListing; FROM;to;Price;;\r\n;;;;;\r\nbarco-azul;2027-03-01;2027-03-03;124,50;;\r\n;;;;;\r\n';
    const file = await fileOf('price.csv', `\uFEFF${text}`);
    assert.equal(
      (await run('rate', 'import', file, '--dry-run')).stdout.split('\n')[0],
      '~ barco-azul 2027-03-01 to 2027-03-03: EUR 123.00 → EUR 124.50',
    );
    const counts = { dryRun: false, listings: 1, added: 0, unusual: { nights: 0, first: [] } };
    const changed = { ...counts, changed: 1, unchanged: 0 };
    assert.deepEqual(await done('rate', 'import', file), changed);
    assert.deepEqual(await done('rate', 'import', file), { ...counts, changed: 0, unchanged: 1 });
  });

  // Spec: FILE-13.
  test('unusual prices are listed before they are set, and need --allow-unusual', async () => {
    const file = await fileOf(
      'minor.csv',
      'listing,from,to,nightly\nbarco-azul,2027-03-01,2027-03-03,124\n',
    );
    const nights = 'barco-azul 2027-03-01 to 2027-03-03: EUR 124.50 → EUR 1.24';
    const dry = await run('rate', 'import', file, '--dry-run');
    assert.equal(dry.exitCode, 0);
    assert.match(dry.stdout, /\n3 nights would cost less than a fifth or more than five times/);
    assert.ok(dry.stdout.includes(`\n${nights}\n`), dry.stdout);
    const message = await refused('rate', 'import', file);
    assert.ok(message.includes(nights), message);
    assert.match(message, /--allow-unusual/);
    const allowed = await done<{ changed: number; unusual: { nights: number } }>(
      'rate',
      'import',
      file,
      '--allow-unusual',
    );
    assert.deepEqual([allowed.changed, allowed.unusual.nights], [1, 3]);
  });

  // Spec: FILE-13, FILE-16.
  test('an import of a catalog shows prices as money, and warns of unusual ones', async () => {
    const document = JSON.parse((await run('catalog', 'export')).stdout) as {
      listings: { slug: string; rates: { nightly: number } }[];
    };
    const home = document.listings.find(({ slug }) => slug === 'barco-azul')!;
    const old = home.rates.nightly;
    home.rates.nightly = old * 100;
    const file = await fileOf('unusual.json', JSON.stringify(document));
    const { exitCode, stdout } = await run('catalog', 'import', file, '--dry-run');
    assert.equal(exitCode, 0);
    const [was, now] = [old, old * 100].map((minor) => moneyText(minor, 'EUR'));
    assert.ok(stdout.includes(`/rates/nightly: ${was} → ${now}\n`), stdout);
    assert.match(stdout, /\n\d+ nights would cost less than a fifth or more than five times/);
    const { warnings } = await done<{ warnings: string[] }>('catalog', 'import', file, '--dry-run');
    assert.ok(warnings.some((text) => text.includes(`barco-azul`)));
  });

  test('rates with problems are refused with line and column', async () => {
    const rows = [
      'listing;from;to;nightly;minNights',
      'barco-azul;2027-03-03;2027-03-05;1;',
      'nowhere;2027-03-03;2027-03-05;1;',
      'barco-azul;2027-04-01;2027-04-05;1;',
      'barco-azul;2027-04-05;2027-04-06;2;',
      'barco-azul;2027-05-02;2027-05-01;2;',
      'barco-azul;2027-05-03;2027-05-03;2.5;',
      'barco-azul;2027-05-04',
    ];
    const file = await fileOf('overlap.csv', rows.join('\n'));
    assert.equal(
      await refused('rate', 'import', file),
      `latchkey: ${file} has 6 problems. Nothing was imported.\n` +
        '  line 2, from: overlaps the entry from 2027-03-01 to 2027-03-03\n' +
        '  line 3, listing: there is no listing nowhere\n' +
        '  line 5, from: overlaps line 4\n' +
        '  line 6, to: must not be before 2027-05-02\n' +
        '  line 7, nightly: must be an integer in minor units of the currency\n' +
        '  line 8: has 2 cells; the head has 5\n',
    );
  });

  test('blocks from CSV', async () => {
    const file = await fileOf(
      'blocks.csv',
      'from,to,listing,reason\n2027-06-01,2027-06-03,sala-do-mercado,"Repairs, roof"\n',
    );
    assert.deepEqual(await done('block', 'import', file, '--dry-run'), {
      dryRun: true,
      added: 1,
      changed: 0,
      unchanged: 0,
      changes: [
        {
          listing: 'sala-do-mercado',
          from: '2027-06-01',
          to: '2027-06-03',
          reason: 'Repairs, roof',
          before: null,
        },
      ],
    });
    assert.deepEqual(await done('block', 'import', file), {
      dryRun: false,
      added: 1,
      changed: 0,
      unchanged: 0,
    });
    assert.deepEqual(await done('block', 'import', file), {
      dryRun: false,
      added: 0,
      changed: 0,
      unchanged: 1,
    });
    const collides = await fileOf(
      'collides.csv',
      'listing,from,to\nsala-do-mercado,2027-06-02,2027-06-04\nsala-do-mercado,2027-06-01,2027-06-01\n',
    );
    assert.match(
      await refused('block', 'import', collides),
      /line 2, from: overlaps a block from 2027-06-01 to 2027-06-03\n {2}line 3, to: must be after 2027-06-01/,
    );
    const onlyCollision = await fileOf(
      'collision.csv',
      'listing,from,to\nsala-do-mercado,2027-06-02,2027-06-04\n',
    );
    assert.match(
      await refused('block', 'import', onlyCollision),
      /line 2, from: overlaps a block from 2027-06-01 to 2027-06-03/,
    );
  });

  test('the calendar of another channel is added, read, conflicts, and is removed', async () => {
    const home = 'sala-do-mercado';
    const serve = (...events: FeedEvent[]) => {
      feed.reply = respond(200, { 'content-type': 'text/calendar' }, feedOf(...events));
    };
    serve({ uid: 'a', from: '2027-07-01', to: '2027-07-04' });
    const url = feed.url('/calendar.ics');
    const add = ['channel-calendar', 'add', '--listing', home, '--url', url];
    const { calendarId } = await done<{ calendarId: string }>(...add);
    assert.deepEqual(await done(...add), { calendarId });
    const listed = async () => {
      const { items } = await done<{ items: Record<string, unknown>[] }>(
        'channel-calendar',
        'list',
        '--listing',
        home,
      );
      return items.find((item) => item['calendarId'] === calendarId);
    };
    // The service reads it within seconds.
    await eventually(async () => (await listed())?.['state'] === 'ok', 30_000, 500);
    await shows(home, '2027-06-30', '2027-07-04', [true, false, false, false, true]);
    const { url: shownUrl, problem, blocks, conflicts } = (await listed())!;
    assert.deepEqual(
      { shownUrl, problem, blocks, conflicts },
      { shownUrl: url, problem: null, blocks: 1, conflicts: 0 },
    );

    await done(
      'block',
      'add',
      '--listing',
      home,
      '--from',
      '2027-07-10',
      '--to',
      '2027-07-12',
      '--reason',
      'roof',
    );
    serve({ uid: 'b', from: '2027-07-09', to: '2027-07-11' });
    const refresh = ['channel-calendar', 'refresh', '--calendar', calendarId];
    assert.deepEqual(await done(...refresh), {
      calendarId,
      outcome: 'refreshed',
      added: 1,
      removed: 0,
      unchanged: 1,
      conflicts: 1,
      newConflicts: 1,
      missing: 1,
      shrunk: false,
    });
    const { items } = await done<{ items: Record<string, unknown>[] }>(
      'channel-calendar',
      'conflicts',
      '--listing',
      home,
    );
    const [{ eventUid, from, to, takenBy }] = items as [Record<string, unknown>];
    const block = (takenBy as { blockId: string }).blockId;
    assert.deepEqual(
      { eventUid, from, to, takenBy },
      {
        eventUid: 'b',
        from: '2027-07-10',
        to: '2027-07-11',
        takenBy: { kind: 'block', blockId: block, source: 'staff', reason: 'roof' },
      },
    );
    const ofCalendar = ['--calendar', calendarId];
    const set = ['channel-calendar', 'set', ...ofCalendar];
    const options = { ignore: ['Not available', 'Notice'], end: 'night', free: 'count' };
    const flags = ['--ignore', 'Not available', '--ignore', 'Notice', '--end', 'night'];
    const changed = await done<{ version: number }>(
      ...set,
      ...flags,
      '--free',
      'count',
      '--source',
      'pms',
    );
    const { version } = changed;
    assert.deepEqual(changed, { calendarId, ...options, userAgent: null, source: 'pms', version });
    const usual = ['--ignore', '', '--end', 'checkout', '--free', 'ignore'];
    const back = await done<{ version: number }>(
      ...set,
      ...usual,
      '--expected-version',
      `${version}`,
    );
    assert.deepEqual(back, {
      calendarId,
      ignore: [],
      end: 'checkout',
      free: 'ignore',
      userAgent: null,
      source: 'pms',
      version: back.version,
    });
    const shown = await done<{ state: string; events: { uid: string; state: string }[] }>(
      'channel-calendar',
      'show',
      ...ofCalendar,
    );
    assert.equal(shown.state, 'ok');
    assert.ok(shown.events.some(({ uid, state }) => uid === 'b' && state === 'conflict'));
    assert.match(await refused('channel-calendar', 'accept', ...ofCalendar), /is not shrunk/);
    feed.reply = respond(503);
    assert.match(
      await refused(...refresh),
      /was not read, and its nights have not changed\. Its server answers with status 503\./,
    );
    assert.equal((await listed())!['state'], 'failing');
    assert.deepEqual(await done('channel-calendar', 'remove', '--calendar', calendarId), {
      calendarId,
      freedBlocks: 2,
    });
    assert.equal(await listed(), undefined);
    assert.match(await refused(...refresh), /There is no channel calendar/);
    await done('block', 'remove', '--block', block);
    await shows(home, '2027-07-08', '2027-07-12', [true, true, true, true, true]);
    const inner = ['channel-calendar', 'add', '--listing', home, '--url', 'https://10.0.0.1/a.ics'];
    assert.match(await refused(...inner), /address that is not on the public internet/);
  });

  test('a calendar file is imported, and a home has a calendar at a secret address', async () => {
    const home = 'sala-do-mercado';
    const event = { uid: 'f', from: '2027-07-01', to: '2027-07-04' };
    const importFile = async (content: string) => {
      const file = await fileOf('channel.ics', content);
      return ['channel-calendar', 'import', '--listing', home, '--file', file];
    };
    const words = await importFile(feedOf(event));
    const { calendarId, added } = await done<{ calendarId: string; added: number }>(...words);
    assert.equal(added, 1);
    const again = await done<object>(...words);
    assert.deepEqual(again, {
      calendarId,
      added: 0,
      removed: 0,
      unchanged: 1,
      conflicts: 0,
      newConflicts: 0,
      missing: 0,
      shrunk: false,
      problems: [],
    });
    assert.match(
      await refused(...(await importFile('nothing'))),
      /channel\.ics was not imported, because nothing in it can be read\. It is not an iCalendar file/,
    );
    assert.match(
      await refused('channel-calendar', 'refresh', '--calendar', calendarId),
      /is the file channel\.ics: import it again/,
    );
    const address = ['channel-calendar', 'address', '--listing', home];
    const { url } = await done<{ url: string }>(...address);
    assert.ok(url.startsWith(`${service.baseUrl}/calendars/`), url);
    assert.match(await (await fetch(url)).text(), /DTSTART;VALUE=DATE:20270701\r\n/);
    const { url: rotated } = await done<{ url: string }>(...address, '--rotate');
    assert.deepEqual([(await fetch(url)).status, (await fetch(rotated)).status], [404, 200]);
    const { url: without } = await done<{ url: string }>(...address, '--calendar', calendarId);
    assert.doesNotMatch(await (await fetch(without)).text(), /20270701/);
    await done('channel-calendar', 'remove', '--calendar', calendarId);
    const { items } = await done<{ items: { action: string }[] }>('audit', 'list');
    const actions = new Set(
      items.map(({ action }) => action).filter((action) => action.startsWith('channel-')),
    );
    assert.deepEqual(
      [...actions].toSorted(),
      ['add', 'address', 'import', 'refresh', 'remove', 'rotate', 'set'].map(
        (verb) => `channel-calendar.${verb}`,
      ),
    );
  });

  test('a picture is added from a file, described, moved and removed', async () => {
    const jpeg = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
      .jpeg()
      .toBuffer();
    const file = await fileOf('Terrace of the villa.JPG', jpeg);
    const home = ['--listing', 'casa-da-mare'];
    type Pictures = { items: { pictureId: string; position: number; url: string; alt: string }[] };
    const known = await done<Pictures>('picture', 'list', ...home);
    const added = await done<Pictures>('picture', 'add', file, ...home, '--alt', 'The terrace');
    const terrace = added.items.at(-1)!;
    assert.deepEqual(added.items.slice(0, -1), known.items);
    assert.equal(terrace.alt, 'The terrace');
    const { images } = await partner.succeed('distribution.listing.get', {
      params: { listingId: await listingId('casa-da-mare') },
    });
    assert.deepEqual(images.at(-1), { url: terrace.url, alt: terrace.alt });
    const shown = await fetch(terrace.url);
    assert.deepEqual([shown.status, shown.headers.get('content-type')], [200, 'image/jpeg']);
    const picture = ['--picture', terrace.pictureId];
    const set = await done<Pictures>('picture', 'set', ...home, ...picture, '--position', '1');
    assert.deepEqual(set.items[0], { ...terrace, position: 1 });
    const removed = await done<Pictures>('picture', 'remove', ...home, ...picture);
    assert.deepEqual(removed, known);

    const text = await fileOf('text.jpg', 'no picture');
    assert.match(
      await refused('picture', 'add', text, ...home),
      /must be a JPEG, PNG or WebP file/,
    );
    assert.match(await refused('picture', 'add', file, '--listing', 'none'), /no listing "none"/);
    assert.match(await refused('picture', 'remove', ...home, ...picture), /has no picture/);
  });

  test('a generated catalog can be imported, and replaced by nothing', async () => {
    const words = [
      'catalog',
      'generate',
      '--listings',
      '40',
      '--seed',
      '5',
      '--from',
      '2027-01-01',
    ];
    const { stdout } = await run(...words);
    assert.equal((await run(...words, '--json')).stdout, stdout);
    const file = await fileOf('generated.json', stdout);
    const { changes } = await done<Imported>('catalog', 'import', file);
    assert.equal(changes.listings.added, 40);
    assert.ok(changes.blocks.added > 2_000);
    assert.match(await refused('catalog', 'export'), /There are 2 catalogs; choose one of/);
    const {
      listings: _listings,
      blocks: _blocks,
      ...rest
    } = JSON.parse(stdout) as Record<string, unknown>;
    const empty = await fileOf('empty.json', JSON.stringify({ ...rest, promotions: [] }));
    const gone = await done<Imported>('catalog', 'import', empty, '--replace');
    assert.equal(gone.changes.listings.withdrawn, 40);
    assert.equal(gone.changes.blocks.withdrawn, changes.blocks.added);
    assert.equal(gone.changes.promotions.withdrawn, changes.promotions.added);
  });

  test('the schema is the one that the service publishes', async () => {
    const published = await fetch(`${service.baseUrl}/catalog.schema.json`);
    assert.equal((await run('catalog', 'schema')).stdout, await published.text());
  });
});
