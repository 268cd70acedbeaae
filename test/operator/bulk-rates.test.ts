/** Rates in bulk, as pricing tools push them. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { after, before, suite, test } from 'node:test';
import type { CatalogListing } from '../../src/contract/catalog-file.ts';
import type { Role } from '../../src/contract/operator/roles.ts';
import { dateText, todayAt } from '../../src/pricing/index.ts';
import { plusDays } from '../harness/catalog.ts';
import { type Operator, operatorOf, operatorTokenOf } from '../harness/operator.ts';
import { openStaff } from '../harness/staff.ts';
import { ownHomes, startTestService, type TestService } from '../harness/service.ts';

const programs = join(import.meta.dirname, '../../examples/own-systems');
const today = dateText(todayAt(Date.now(), 'Europe/Lisbon'));
const inDays = (days: number) => plusDays(today, days);

const home = (slug: string, more: Partial<CatalogListing> = {}): CatalogListing => ({
  slug,
  name: slug,
  timeZone: 'Europe/Lisbon',
  currency: 'EUR',
  rates: { nightly: 18_000 },
  ...more,
});

type Rates = { listing: string; dates: object[] }[];

suite('operator.rate.setBulk', () => {
  let service: TestService;
  let tool: Operator;
  let listingId: string;

  before(async () => {
    service = await startTestService(ownHomes);
    tool = await operatorOf(service, 'content', 'pricing');
    const listings = [
      home('mill'),
      home('barn', { stayRules: { maxNights: 7 } }),
      ...Array.from({ length: 14 }, (_, at) => home(`row-${at}`)),
    ];
    const file = JSON.stringify({
      format: 'latchkey-catalog/1',
      catalog: { slug: 'homes', name: 'Homes', discovery: 'brand' },
      listings,
    });
    await tool.done('operator.catalog.import', { body: { file } });
    ({ listingId } = await detailOf('mill'));
  });
  after(() => service.stop());

  const detailOf = (listing: string) => tool.done('operator.listing.get', { params: { listing } });
  const datesOf = async (listing: string) => (await detailOf(listing)).listing.rates.dates ?? [];
  const set = (rates: Rates) => tool.done('operator.rate.setBulk', { body: { rates } as never });
  const faultsOf = async (rates: Rates) => {
    const refused = await tool.refused('operator.rate.setBulk', { body: { rates } });
    assert.deepEqual([refused.status, refused.code], [400, 'invalid_input']);
    return (refused.details as { fields: { path: string; message: string }[] }).fields;
  };
  const waiting = async () =>
    (await tool.done('operator.attention.list')).items.filter(
      ({ kind }) => kind === 'unusual_prices',
    );

  // Spec: OUTSIDE-3.
  test('sets prices and rules, removes them with null, and counts what has really changed', async () => {
    const rates: Rates = [
      {
        listing: 'mill',
        dates: [
          { date: inDays(41), nightly: 20_000 },
          { date: inDays(40), nightly: 20_000, minNights: 3 },
          { date: inDays(42), arrivalDays: ['sat'], departureDays: ['sun'], maxNights: 5 },
        ],
      },
      { listing: 'barn', dates: [{ date: inDays(40) }, { date: inDays(41), nightly: null }] },
    ];
    assert.deepEqual(await set(rates), { listings: 1, dates: 3 });
    const [first, second, third] = [inDays(40), inDays(41), inDays(42)] as const;
    assert.deepEqual(await datesOf('mill'), [
      { from: first, to: first, nightly: 20_000, minNights: 3 },
      { from: second, to: second, nightly: 20_000 },
      { from: third, to: third, maxNights: 5, arrivalDays: ['sat'], departureDays: ['sun'] },
    ]);
    // Feeds follow the version of a home.
    const { version } = await detailOf('mill');
    assert.deepEqual(await set(rates), { listings: 0, dates: 0 });
    assert.equal((await detailOf('mill')).version, version);
    const removed = { date: first, nightly: null, minNights: null };
    const byId = [{ listing: listingId.toUpperCase(), dates: [removed] }];
    assert.deepEqual(await set(byId), { listings: 1, dates: 1 });
    assert.equal((await datesOf('mill')).length, 2);
    const { items: audited } = await tool.done('operator.audit.list', {
      query: { action: 'rate.set-bulk' },
    });
    assert.deepEqual(
      audited.map(({ actor, details }) => [actor, (details as { dates: number }).dates]),
      [
        [tool.name, 1],
        [tool.name, 3],
      ],
    );
  });

  test('400 › nothing is set, and each fault is named: unknown homes, repeats, rules that allow no stay', async () => {
    const stored = await datesOf('mill');
    const date = inDays(60);
    const fields = await faultsOf([
      { listing: 'mill', dates: [{ date, nightly: 19_000 }] },
      { listing: 'nowhere', dates: [{ date }] },
      {
        listing: 'barn',
        dates: [
          { date, minNights: 8 },
          { date: inDays(61), minNights: 4, maxNights: 3 },
          { date: inDays(62), nightly: 1 },
          { date: inDays(62), nightly: 1 },
        ],
      },
      { listing: listingId, dates: [{ date }] },
    ]);
    assert.deepEqual(
      fields.map(({ path }) => path),
      [
        '/rates/1/listing',
        '/rates/3/listing',
        '/rates/2/dates/3/date',
        '/rates/2/dates/0/minNights',
        '/rates/2/dates/1/minNights',
      ],
    );
    const rules = await faultsOf([
      { listing: 'mill', dates: [{ date, nightly: 19_000 }] },
      {
        listing: 'barn',
        dates: [
          { date, minNights: 8 },
          { date: inDays(61), minNights: 4, maxNights: 3 },
        ],
      },
    ]);
    assert.deepEqual(
      rules.map(({ path }) => path),
      ['/rates/1/dates/0/minNights', '/rates/1/dates/1/minNights'],
    );
    assert.match(rules[0]!.message, /at least 8 nights, at most 7/);
    assert.deepEqual(await datesOf('mill'), stored);
    for (const dates of [
      [{ date: '2027-02-30' }],
      [{ date, nightly: -1 }],
      [{ date, minNights: 0 }],
      [{ date, arrivalDays: [] }],
      [{ date, price: 1 }],
    ]) {
      await faultsOf([{ listing: 'mill', dates }]);
    }
    const many = Array.from({ length: 120 }, (_, at) => ({ listing: `none-${at}`, dates: [] }));
    assert.equal((await faultsOf(many)).length, 100);
  });

  test('takes 10,000 dates with every member, and refuses one more', async () => {
    const dates = Array.from({ length: 720 }, (_, at) => ({
      date: inDays(100 + at),
      nightly: 18_000 + at,
      minNights: 2,
      maxNights: 60,
      arrivalDays: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat'],
      departureDays: ['mon', 'tue', 'wed', 'thu', 'fri', 'sun'],
    }));
    const all = Array.from({ length: 14 }, (_, at) => ({
      listing: `row-${at}`,
      dates: at === 13 ? dates.slice(0, 640) : dates,
    }));
    assert.deepEqual(await set(all), { listings: 14, dates: 10_000 });
    const more = [...all, { listing: 'mill', dates: dates.slice(0, 1) }];
    const [fault] = await faultsOf(more);
    assert.equal(fault!.path, '/rates');
  });

  // Spec: FILE-13.
  test('unusual prices are set, and wait for staff until they say that they are meant', async () => {
    const date = inDays(90);
    const rates = [{ listing: 'mill', dates: [{ date, nightly: 180 }] }];
    assert.deepEqual(await waiting(), []);
    assert.deepEqual(await set(rates), { listings: 1, dates: 1 });
    assert.deepEqual(await set(rates), { listings: 0, dates: 0 });
    const [item, ...others] = await waiting();
    assert.deepEqual(others, []);
    assert.deepEqual([item!.listing, item!.amount, item!.currency], ['mill', 180, 'EUR']);
    assert.match(item!.reason, /Set by token pricing\.[^]*EUR 180\.00 → EUR 1\.80/);
    const params = { changeId: item!.subject };
    const reservations = await operatorOf(service, 'reservations');
    const { status } = await reservations.refused('operator.rate.confirmUnusual', { params });
    assert.equal(status, 403);
    await tool.done('operator.rate.confirmUnusual', { params, body: {} });
    assert.deepEqual(await waiting(), []);
    const again = await tool.refused('operator.rate.confirmUnusual', { params, body: {} });
    assert.equal(again.status, 404);
  });

  test('the programs of the guide push rates and stays', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'own-systems-'));
    const runAt = async (baseUrl: string, token: string, program: string, ...of: string[]) => {
      const env = { BASE_URL: baseUrl, LATCHKEY_OPERATOR_TOKEN: token };
      const parameters = [join(programs, program), ...of];
      const { stdout } = await promisify(execFile)(process.execPath, parameters, { env });
      return stdout.trim();
    };
    const run = async (role: Role, program: string, ...parameters: string[]) =>
      runAt(service.origin, await operatorTokenOf(service, role), program, ...parameters);
    try {
      const rates = join(folder, 'rates.json');
      const dates = [{ date: inDays(200), nightly: 21_000 }];
      await writeFile(rates, JSON.stringify([{ listing: 'mill', dates }]));
      const changed = await run('content', 'push-rates.mjs', rates);
      assert.equal(changed, 'changed: homes 1, dates 1');
      const stays = join(folder, 'stays.json');
      const stay = { id: 'R/1042', listing: 'mill', from: inDays(210), to: inDays(214) };
      await writeFile(stays, JSON.stringify([stay]));
      const pushed = ['push-stays.mjs', 'pms', stays] as const;
      assert.equal(await run('reservations', ...pushed), 'R/1042 taken');
      // A service whose quota is used up says how long to wait; then somebody else has a night.
      const conflicts = [{ kind: 'block', from: stay.from, to: stay.to }];
      const answers = [
        { status: 201, body: { conflicts } },
        { status: 429, body: {} },
      ];
      const busy = createServer((_, response) => {
        const { status, body } = answers.pop()!;
        response.writeHead(status, { 'retry-after': '0' }).end(JSON.stringify(body));
      });
      await new Promise<void>((listens) => busy.listen(0, '127.0.0.1', listens));
      const { port } = busy.address() as AddressInfo;
      assert.equal(
        await runAt(`http://127.0.0.1:${port}`, 'none', ...pushed).finally(() => busy.close()),
        `R/1042 taken, but somebody else has ${stay.from} to ${stay.to} (block)`,
      );
      await writeFile(stays, JSON.stringify([{ id: stay.id, cancelled: true }]));
      assert.equal(await run('reservations', ...pushed), 'R/1042 removed');
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test('a booking whose quote was made before ends with price_changed', async () => {
    const own = await openStaff('test');
    try {
      const pricing = await operatorOf(own.service, 'content');
      const open = await own.partner.readyCheckout();
      const { listingId: listing, checkIn: date, charges } = open.quote;
      const nightly = charges.nights[0]!.amount + 100;
      const body = { rates: [{ listing, dates: [{ date, nightly }] }] };
      assert.deepEqual(await pricing.done('operator.rate.setBulk', { body }), {
        listings: 1,
        dates: 1,
      });
      await own.partner.submit(open);
      const { failure } = await own.partner.statusOnce(open, ['failed']);
      assert.equal(failure!.reason, 'price_changed');
    } finally {
      await own.service.stop();
    }
  });
});
