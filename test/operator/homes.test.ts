/** Homes, rates, nights, catalogs and promotions by the operator's API. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, suite, test } from 'node:test';
import type { OperatorOperationId } from '../../src/contract/operator/operations.ts';
import type { CatalogListing } from '../../src/contract/catalog-file.ts';
import { dateText, todayAt } from '../../src/pricing/index.ts';
import { plusDays } from '../harness/catalog.ts';
import { requestStay } from '../harness/events.ts';
import { eventually } from '../harness/eventually.ts';
import { operatorOf, type Operator } from '../harness/operator.ts';
import { ownHomes, startTestService, type TestService } from '../harness/service.ts';
import { signedIn } from '../harness/staff-member.ts';
import { wrongPaths } from '../harness/wrong-paths.ts';

const example = path.join(import.meta.dirname, '../../examples/harbour-homes/catalog.json');
const today = dateText(todayAt(Date.now(), 'Europe/Lisbon'));
const inDays = (days: number) => plusDays(today, days);

const cottage: CatalogListing = {
  slug: 'cottage',
  name: 'Côttage by the Weir',
  destination: 'Odemira',
  timeZone: 'Europe/Lisbon',
  sleeps: 3,
  currency: 'EUR',
  rates: { nightly: 10_000, weekdays: { sat: 15_000 } },
  fees: [{ label: 'Cleaning', kind: 'cleaning', per: 'stay', amount: 5_000 }],
  taxes: [{ label: 'VAT', on: ['accommodation', 'cleaning'], percent: 6 }],
  stayRules: { minNights: 2 },
};

suite("homes by the operator's API", () => {
  let service: TestService;
  let staff: Operator;
  let viewer: Operator;
  before(async () => {
    service = await startTestService(ownHomes);
    staff = (await signedIn(service)).operator;
    viewer = await operatorOf(service, 'viewer');
  });
  after(() => service.stop());

  const catalog = 'harbour-homes';
  const lastAudit = async () =>
    (await staff.done('operator.audit.list', { query: { limit: 1 } })).items[0]!;
  const calendarOf = async (text: string, from: string, days: number) => {
    const found = await viewer.done('operator.calendar.read', { query: { text, from, days } });
    assert.equal(found.homes.length, 1);
    return found.homes[0]!;
  };

  test('a catalog file is shown as a difference, then applied, then changes nothing', async () => {
    const file = await readFile(example, 'utf8');
    const dry = await staff.done('operator.catalog.import', { body: { file, dryRun: true } });
    const { added } = dry.changes.listings;
    assert.ok(added > 0);
    const known = await viewer.done('operator.catalog.list');
    assert.ok(known.items.every(({ slug }) => slug !== catalog));
    const applied = await staff.done('operator.catalog.import', { body: { file } });
    assert.deepEqual(applied, { ...dry, dryRun: false });
    assert.equal((await lastAudit()).action, 'catalog.import');
    assert.equal((await lastAudit()).actor, staff.name);
    const again = await staff.done('operator.catalog.import', { body: { file } });
    assert.equal(again.changes.listings.changed + again.changes.listings.added, 0);
    const listed = (await viewer.done('operator.catalog.list')).items;
    const own = listed.find(({ slug }) => slug === catalog)!;
    assert.equal(own.listings, added);
    assert.ok(own.collections.length > 0);
  });

  test('429 rate_limited › more files at once than two', async () => {
    const body = { file: await readFile(example, 'utf8'), dryRun: true };
    const sent = await Promise.all(
      Array.from({ length: 6 }, () => staff.send('operator.catalog.import', { body })),
    );
    const statuses = sent.map(({ status }) => status);
    assert.ok(statuses.filter((status) => status === 200).length >= 2, String(statuses));
    assert.ok(statuses.includes(429), String(statuses));
    assert.ok(
      statuses.every((status) => [200, 429].includes(status)),
      String(statuses),
    );
  });

  test('an exported catalog imports without a change', async () => {
    const exported = await viewer.done('operator.catalog.export', { params: { catalog } });
    const body = { file: JSON.stringify(exported), replace: true };
    const { changes } = await staff.done('operator.catalog.import', { body });
    const { moved, ...kinds } = changes;
    assert.equal(moved, 0);
    for (const kind of Object.values(kinds)) assert.deepEqual(kind.entries, []);
  });

  test('400 invalid_input › a catalog file with problems, each with its line', async () => {
    const file = '{\n"format": "latchkey-catalog/1",\n"catalog": { "slug": "x" } }';
    const { code, details } = await staff.refused('operator.catalog.import', { body: { file } });
    assert.equal(code, 'invalid_input');
    const fields = (details as { fields: { path: string; message: string }[] }).fields;
    assert.ok(
      fields.some(({ message }) => message.startsWith('line 3: /catalog/name')),
      JSON.stringify(fields),
    );
  });

  test('what is wrong says what may be meant and what contradicts, and what is only unusual is a warning', async () => {
    const fileOf = (home: object) =>
      JSON.stringify({
        format: 'latchkey-catalog/1',
        catalog: { slug: catalog, name: 'Harbour Homes', discovery: 'brand' },
        listings: [{ ...cottage, slug: 'annexe', ...home }],
      });
    const messagesOf = async (home: object) => {
      const body = { file: fileOf(home), dryRun: true };
      const { details } = await staff.refused('operator.catalog.import', { body });
      const { fields } = details as { fields: { message: string }[] };
      return fields.map(({ message }) => message).join('\n');
    };
    assert.match(await messagesOf({ licence: 'AL-1' }), /do you mean `registration`\?/);
    assert.match(await messagesOf({ currency: 'HRK' }), /withdrawn; use EUR/);
    assert.match(
      await messagesOf({ stayRules: { minNights: 5, maxNights: 3 } }),
      /\/listings\/0\/stayRules\/minNights must not be more than maxNights, which is 3 by \/listings\/0\/stayRules\/maxNights/,
    );
    const dry = { file: fileOf({ taxes: [] }), dryRun: true };
    const { warnings } = await staff.done('operator.catalog.import', { body: dry });
    assert.deepEqual(warnings, [
      'Without entries of cancellation nothing is refunded, and the text for guests says so: annexe.',
    ]);
    const cancellationText = { label: 'Cancellation', body: 'We refund everything.' };
    const own = { file: fileOf({ cancellationText }), dryRun: true };
    const { warnings: ofOwnText } = await staff.done('operator.catalog.import', { body: own });
    assert.deepEqual(ofOwnText, [
      'Without entries of cancellation nothing is refunded, whatever your own text for guests says: annexe.',
    ]);
  });

  test('a home is added, found, changed, withdrawn and sold again', async () => {
    const added = await staff.done('operator.listing.add', {
      body: { catalog, listing: { ...cottage, collection: 'hills' } },
    });
    assert.deepEqual(added.places, [{ catalog, collection: 'hills' }]);
    assert.equal((await lastAudit()).action, 'listing.add');

    const { items } = await viewer.done('operator.listing.list', { query: { text: 'COTTAGE by' } });
    assert.deepEqual(
      items.map(({ slug, nightly }) => [slug, nightly]),
      [['cottage', 10_000]],
    );
    const params = { listing: 'cottage' };
    const read = await viewer.done('operator.listing.get', { params });
    assert.deepEqual(read, added);
    const listing = { ...read.listing, name: 'The Weir', collection: 'coast' };
    const change = { version: read.version, catalog, listing };
    const changed = await staff.done('operator.listing.change', { params, body: change });
    assert.equal(changed.listing.name, 'The Weir');
    assert.deepEqual(changed.places, [{ catalog, collection: 'coast' }]);
    const { action, details } = await lastAudit();
    assert.equal(action, 'listing.change');
    assert.deepEqual(details['members'], [
      { path: '/name', from: cottage.name, to: 'The Weir' },
      { path: '/collection', from: 'hills', to: 'coast' },
    ]);

    const body = { version: changed.version, catalog, listing: changed.listing };
    const unchanged = await staff.done('operator.listing.change', { params, body });
    assert.equal(unchanged.version, changed.version);

    const withdrawn = await staff.done('operator.listing.withdraw', { params, body: { catalog } });
    assert.deepEqual(withdrawn.places, []);
    assert.equal(
      (await viewer.done('operator.listing.list', { query: { text: 'weir' } })).total,
      0,
    );
    const { items: gone } = await viewer.done('operator.listing.listWithdrawn', {
      query: { catalog },
    });
    assert.deepEqual(
      gone.map(({ slug, collection }) => [slug, collection]),
      [['cottage', 'coast']],
    );
    const back = await staff.done('operator.listing.offer', { params, body: { catalog } });
    assert.deepEqual(back.places, [{ catalog, collection: 'coast' }]);
    const offered = await staff.done('operator.listing.offer', {
      params,
      body: { catalog, collection: 'hills' },
    });
    assert.deepEqual(offered.places, [{ catalog, collection: 'hills' }]);
    assert.equal(
      (await viewer.done('operator.listing.list', { query: { text: 'weir' } })).total,
      1,
    );
    const nowhere = { params, body: { catalog, collection: 'nowhere' } };
    const refused = await staff.refused('operator.listing.offer', nowhere);
    const message = `there is no collection nowhere in the catalog ${catalog}`;
    assert.deepEqual(refused.details, { fields: [{ path: '/collection', message }] });
  });

  test('homes that a catalog has withdrawn are listed in pages, the latest first', async () => {
    const slugs = ['first-gone', 'second-gone', 'third-gone'];
    for (const slug of slugs) {
      await staff.done('operator.listing.add', {
        body: { catalog, listing: { ...cottage, slug } },
      });
      const params = { listing: slug };
      await staff.done('operator.listing.withdraw', { params, body: { catalog } });
    }
    const list = (query: { limit?: number; cursor?: string; catalog?: string }) =>
      viewer.done('operator.listing.listWithdrawn', { query: { catalog, ...query } });
    const first = await list({ limit: 2 });
    assert.deepEqual(
      first.items.map(({ slug }) => slug),
      ['third-gone', 'second-gone'],
    );
    const rest = await list({ limit: 2, cursor: first.nextCursor! });
    assert.deepEqual(
      rest.items.map(({ slug }) => slug),
      ['first-gone'],
    );
    assert.equal(rest.nextCursor, null);
    const { status } = await viewer.refused('operator.listing.listWithdrawn', {
      query: { catalog: 'unknown' },
    });
    assert.equal(status, 404);
  });

  test('a draft is not sold until it is offered, and a new home needs a time zone', async () => {
    const listing = { ...cottage, slug: 'drafted', name: 'Drafted' };
    const params = { listing: 'drafted' };
    const added = await staff.done('operator.listing.add', {
      body: { catalog, draft: true, listing },
    });
    assert.deepEqual(added.places, []);
    const isSold = async () => {
      const { items } = await viewer.done('operator.listing.list', { query: { text: 'drafted' } });
      return items.length === 1;
    };
    assert.equal(await isSold(), false);
    const { items } = await viewer.done('operator.listing.listWithdrawn', { query: { catalog } });
    assert.equal(items[0]!.slug, 'drafted');
    await staff.done('operator.listing.offer', { params, body: { catalog } });
    assert.equal(await isSold(), true);
    await staff.done('operator.listing.withdraw', { params, body: { catalog } });
    const { timeZone: _, ...nowhere } = { ...listing, slug: 'nowhere' };
    const refused = await staff.refused('operator.listing.add', {
      body: { catalog, listing: nowhere },
    });
    assert.deepEqual([refused.status, wrongPaths(refused)[0]], [400, '/listing/timeZone']);
  });

  // Spec: OPERATOR-5.
  test('412 precondition_failed › two members of staff change the same home: one is refused', async () => {
    const params = { listing: 'cottage' };
    const { version, listing } = await viewer.done('operator.listing.get', { params });
    const change = (blurb: string) =>
      staff.send('operator.listing.change', {
        params,
        body: { version, catalog, listing: { ...listing, blurb } },
      });
    const both = await Promise.all([change('one'), change('the other')]);
    assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 412]);
  });

  test('400 invalid_input › what an import refuses, with the place', async () => {
    const rates = {
      ...cottage.rates,
      dates: [
        { from: '2027-01-01', to: '2027-01-05', nightly: 1 },
        { from: '2027-01-05', to: '2027-01-06', nightly: 2 },
      ],
    };
    const body = { catalog, listing: { ...cottage, slug: 'other', rates, collection: 'nowhere' } };
    const refusal = await staff.refused('operator.listing.add', { body });
    assert.deepEqual(refusal.details, {
      fields: [{ path: '/listing/rates/dates/1/from', message: 'overlaps /rates/dates/0' }],
    });
    const { rates: _, ...sound } = body.listing;
    const unknown = await staff.refused('operator.listing.add', {
      body: { catalog, listing: { ...sound, rates: cottage.rates } },
    });
    assert.deepEqual(unknown.details, {
      fields: [
        {
          path: '/listing/collection',
          message: `there is no collection nowhere in the catalog ${catalog}`,
        },
      ],
    });
  });

  test('refusals › an existing slug, an unknown home, a viewer', async () => {
    const again = await staff.refused('operator.listing.add', {
      body: { catalog, listing: cottage },
    });
    assert.deepEqual([again.status, again.code], [409, 'conflict']);
    const params = { listing: 'no-such-home' };
    assert.equal((await viewer.refused('operator.listing.get', { params })).status, 404);
    const denied = await viewer.refused('operator.listing.withdraw', { params, body: {} });
    assert.deepEqual([denied.status, denied.details], [403, { reason: 'role' }]);
  });

  // Spec: STAY-4.
  test('a draft is priced with every line, and with the rules that the stay breaks', async () => {
    const body = {
      listing: cottage,
      checkIn: '2027-06-11',
      checkOut: '2027-06-13',
      party: { adults: 4 },
    };
    const { charges, broken } = await viewer.done('operator.listing.price', { body });
    assert.deepEqual(
      charges?.lines.map(({ kind, amount }) => [kind, amount]),
      // Friday and Saturday.
      [
        ['accommodation', 25_000],
        ['cleaning', 5_000],
        ['tax', 1_800],
      ],
    );
    assert.deepEqual(
      broken.map(({ rule }) => rule),
      ['too_many_guests'],
    );
    const short = { ...body, checkOut: '2027-06-12', party: { adults: 1 } };
    const priced = await viewer.done('operator.listing.price', { body: short });
    assert.deepEqual(
      priced.broken.map(({ rule }) => rule),
      ['min_nights'],
    );
    const none = await viewer.refused('operator.listing.price', {
      body: { ...body, checkOut: body.checkIn },
    });
    assert.equal(none.code, 'invalid_input');
    const withoutAges = { ...body, party: { adults: 1, children: 2, childAges: [4] } };
    const ages = await viewer.refused('operator.listing.price', { body: withoutAges });
    assert.match(JSON.stringify(ages.details), /\/party\/childAges/);
  });

  test('the price of a draft says what each night and line comes from, and what is not charged', async () => {
    const body = {
      listing: {
        ...cottage,
        rates: {
          nightly: 10_000,
          seasons: [
            { name: 'Summer', from: '06-01', to: '08-31', changePercent: 35, priority: 1 },
            { name: 'Changeover', from: '06-01', to: '06-30', minNights: 2, priority: 2 },
          ],
          dates: [{ from: '2027-06-12', to: '2027-06-12', nightly: 20_000 }],
        },
        fees: [{ label: 'Pet', kind: 'fee', per: 'pet', amount: 500 }],
        taxes: [
          {
            label: 'City tax',
            per: 'guest_night',
            amount: 230,
            who: { ages: { from: 10 } },
            maxNights: 1,
          },
          {
            label: 'Short stays',
            on: ['accommodation'],
            percent: 5,
            when: { stayNights: { max: 1 } },
          },
          { label: 'VAT', on: ['accommodation'], percent: 10, included: true },
        ],
        cancellation: [{ daysBefore: 7, refundPercent: 50 }],
        securityDeposit: { amount: 30_000 },
      } as never,
      checkIn: '2027-06-11',
      checkOut: '2027-06-13',
      party: { adults: 1, children: 2, childAges: [4, 12] },
    };
    const { explained, cancellation, securityDeposit } = await viewer.done(
      'operator.listing.price',
      { body },
    );
    assert.deepEqual(
      explained?.nights.map(({ amount, layer, name, changePercent, base }) => [
        amount,
        layer,
        name,
        changePercent,
        base,
      ]),
      [
        [13_500, 'season', 'Summer', 35, 10_000],
        [20_000, 'dates', null, null, null],
      ],
    );
    assert.deepEqual(
      explained?.lines.map(({ label, rule, amount, unit, nights, guests, base, notCharged }) => [
        label,
        rule,
        amount,
        unit,
        nights,
        guests,
        base,
        notCharged,
      ]),
      [
        ['Accommodation', null, 33_500, null, 2, null, null, null],
        ['Pet', '/fees/0', 0, 500, null, null, null, 'no_pet'],
        ['City tax', '/taxes/0', 460, 230, 1, 2, null, null],
        ['Short stays', '/taxes/1', 0, null, null, null, null, 'nights_of_stay'],
        ['VAT', '/taxes/2', 3_045, null, null, null, 30_455, null],
      ],
    );
    assert.deepEqual(
      cancellation.map(({ refundAmount }) => refundAmount),
      [16_980],
    );
    assert.deepEqual([securityDeposit?.amount, securityDeposit?.dueOn], [30_000, '2027-06-11']);
  });

  test('rates of dates are set over entries that exist, and the calendar shows them', async () => {
    const [from, to] = [inDays(40), inDays(45)];
    const set = async (body: object) => {
      const rates = { listings: ['cottage'], from, to, ...body } as never;
      return (await staff.done('operator.rate.set', { body: rates })).changed;
    };
    assert.equal(await set({ nightly: 20_000, minNights: 4 }), 1);
    assert.equal(await set({ from: inDays(42), to: inDays(43), nightly: 30_000 }), 1);
    assert.equal(await set({ from: inDays(42), to: inDays(43), nightly: 30_000 }), 0);
    const home = await calendarOf('weir', from, 6);
    assert.deepEqual(home.prices, [20_000, 20_000, 30_000, 30_000, 20_000, 20_000]);
    assert.deepEqual(home.minNights, [4, 4, 4, 4, 4, 4]);
    assert.equal(await set({ nightly: null, minNights: null }), 1);
    assert.ok((await calendarOf('weir', from, 6)).prices.every((price) => price! < 20_000));
    const refusal = await staff.refused('operator.rate.set', {
      body: { listings: ['cottage', 'nowhere'], from, to, nightly: 1 },
    });
    assert.equal(refusal.status, 404);
  });

  test('rates and blocks from a spreadsheet are shown, then applied', async () => {
    const rates = `listing,from,to,nightly\ncottage,${inDays(60)},${inDays(61)},12345`;
    const dry = await staff.done('operator.rate.import', { body: { file: rates, dryRun: true } });
    assert.deepEqual([dry.added, dry.changes.length], [1, 1]);
    await staff.done('operator.rate.import', { body: { file: rates } });
    const audited = (await lastAudit()).details as { first: object[] };
    assert.deepEqual(audited.first, dry.changes);
    assert.deepEqual((await calendarOf('weir', inDays(60), 2)).prices, [12_345, 12_345]);
    const blocks = `listing,from,to,reason\ncottage,${inDays(70)},${inDays(72)},New roof`;
    const block = { listing: 'cottage', from: inDays(70), to: inDays(72) };
    const shown = async (file: string) =>
      (await staff.done('operator.block.import', { body: { file, dryRun: true } })).changes;
    assert.deepEqual(await shown(blocks), [{ ...block, reason: 'New roof', before: null }]);
    await staff.done('operator.block.import', { body: { file: blocks } });
    const [bar] = (await calendarOf('weir', inDays(69), 5)).bars;
    assert.deepEqual([bar?.kind, bar?.source, bar?.reason], ['block', 'file', 'New roof']);
    const newRoof = { before: { reason: 'New roof', source: 'file' } };
    const renamed = blocks.replace('New', 'Old');
    assert.deepEqual(await shown(renamed), [{ ...block, reason: 'Old roof', ...newRoof }]);
    await staff.done('operator.block.import', { body: { file: renamed } });
    const { first, ...counts } = (await lastAudit()).details as {
      first: Record<string, unknown>[];
    };
    assert.deepEqual(counts, { added: 0, changed: 1, unchanged: 0 });
    const { blockId, ...change } = first[0]!;
    assert.ok(blockId);
    assert.deepEqual(change, { change: 'changed', ...block, reason: 'Old roof', ...newRoof });
    const wrong = await staff.refused('operator.block.import', {
      body: { file: 'listing,from\n' },
    });
    assert.equal(wrong.code, 'invalid_input');
  });

  const datedCalls = (from: string, to: string): [OperatorOperationId, object][] => {
    const nights = { listing: 'edge', from, to };
    const csv = (more: string) => `listing,from,to${more && ',nightly'}\nedge,${from},${to}${more}`;
    const file = JSON.stringify({
      format: 'latchkey-catalog/1',
      catalog: { slug: catalog, name: 'Harbour Homes', discovery: 'brand' },
      blocks: [nights],
    });
    const promotion = { code: 'EDGE', label: 'Edge', percent: 1, bookFrom: from, bookTo: to };
    return [
      ['operator.rate.import', { body: { file: csv(',11000') } }],
      ['operator.rate.set', { body: { listings: ['edge'], from, to: from, nightly: 12_000 } }],
      ['operator.rate.set', { body: { listings: ['edge'], from: to, to, nightly: 12_000 } }],
      ['operator.block.import', { body: { file: csv('') } }],
      ['operator.block.add', { body: nights }],
      ['operator.promotion.add', { body: { catalog, promotion } }],
      ['operator.catalog.import', { body: { file, dryRun: true } }],
      ['operator.reservation.list', { query: { from, to } }],
      ['operator.payment.list', { query: { from, to } }],
      ['operator.calendar.read', { query: { from: to } }],
      ['operator.calendar.read', { query: { from } }],
    ];
  };

  test('the first and the last date are taken by every call with dates', async () => {
    const listing = { ...cottage, slug: 'edge', name: 'Edge' };
    await staff.done('operator.listing.add', { body: { catalog, listing } });
    for (const [id, input] of datedCalls('1900-01-01', '8999-12-31')) await staff.done(id, input);
  });

  test('400 invalid_input › dates before 1900 and after 8999', async () => {
    const years = [
      ['0000-01-01', '0000-01-02'],
      ['0001-01-01', '1899-12-31'],
      ['9000-01-01', '9999-12-31'],
    ] as const;
    for (const [id, input] of years.flatMap(([from, to]) => datedCalls(from, to))) {
      assert.equal((await staff.send(id, input)).status, 400, `${id} ${JSON.stringify(input)}`);
    }
  });

  test('a stay is a bar of the calendar, with its reservation and guests', async () => {
    const [{ catalogId } = { catalogId: '' }] = [...service.catalog.views()];
    const partner = await service.partner({ catalogId });
    const stay = await partner.freeStay();
    await requestStay(partner, stay);
    const { listingId, checkIn, checkOut } = stay;
    const query = { from: checkIn, days: 1, limit: 500 };
    const barOf = async () => {
      const { homes } = await viewer.done('operator.calendar.read', { query });
      return homes.find((each) => each.listingId === listingId)?.bars[0];
    };
    await eventually(async () => (await barOf())?.kind === 'stay');
    const { from, to, application, guests, reference } = (await barOf())!;
    assert.deepEqual([from, to, application], [checkIn, checkOut, 'a test']);
    assert.ok(guests! > 0 && reference);
  });

  test('a block is a bar of the calendar; a removed block is gone', async () => {
    const from = inDays(100);
    const block = { listing: 'cottage', from, to: plusDays(from, 3), reason: '<img src=x>' };
    const { blockId } = await staff.done('operator.block.add', { body: block });
    assert.deepEqual(await staff.done('operator.block.add', { body: block }), { blockId });
    const taken = await staff.refused('operator.block.add', {
      body: { ...block, from: plusDays(from, 1), to: plusDays(from, 5) },
    });
    assert.equal(taken.status, 409);
    const none = await staff.refused('operator.block.add', { body: { ...block, to: from } });
    const fields = [{ path: '/to', message: 'must be after the first night' }];
    assert.deepEqual([none.status, none.details], [400, { fields }]);
    const { bars } = await calendarOf('weir', plusDays(from, 2), 2);
    assert.deepEqual(bars, [
      {
        id: blockId,
        kind: 'block',
        from,
        to: plusDays(from, 3),
        reference: null,
        application: null,
        guest: null,
        guests: null,
        source: 'staff',
        reason: '<img src=x>',
      },
    ]);
    const listed = await viewer.done('operator.block.list', { query: { listing: 'cottage' } });
    assert.ok(
      listed.items.some(
        (item) =>
          item.blockId === blockId && item.listing === 'cottage' && item.listingName === 'The Weir',
      ),
    );
    await staff.done('operator.block.remove', { params: { blockId } });
    assert.deepEqual((await calendarOf('weir', from, 3)).bars, []);
    const gone = await staff.refused('operator.block.remove', { params: { blockId } });
    assert.equal(gone.status, 404);
  });

  test('a calendar file of another channel blocks nights, and shows conflicts', async () => {
    const ics = (uid: string, from: number, to: number) =>
      [
        'BEGIN:VCALENDAR',
        'VERSION:2.0',
        'PRODID:-//test//',
        'BEGIN:VEVENT',
        `UID:${uid}`,
        `DTSTART;VALUE=DATE:${inDays(from).replaceAll('-', '')}`,
        `DTEND;VALUE=DATE:${inDays(to).replaceAll('-', '')}`,
        'END:VEVENT',
        'END:VCALENDAR',
      ].join('\r\n');
    const listing = 'cottage';
    const first = { listing, name: 'a.ics', file: ics('one', 120, 124) };
    const { calendarId, added } = await staff.done('operator.channelCalendar.import', {
      body: first,
    });
    assert.equal(added, 1);
    const second = { listing, name: 'b.ics', file: ics('two', 122, 125) };
    await staff.done('operator.channelCalendar.import', { body: second });
    const { items } = await viewer.done('operator.channelCalendar.list', { query: { listing } });
    assert.deepEqual(
      items.map(({ listingName, file, blocks, conflicts }) => [
        listingName,
        file,
        blocks,
        conflicts,
      ]),
      [
        ['The Weir', 'a.ics', 1, 0],
        ['The Weir', 'b.ics', 1, 1],
      ],
    );
    const conflicts = await viewer.done('operator.channelCalendar.conflicts', {
      query: { listing },
    });
    const [conflict] = conflicts.items;
    assert.deepEqual([conflict?.listingName, conflict?.takenBy.kind], ['The Weir', 'block']);
    const removed = await staff.done('operator.channelCalendar.remove', { params: { calendarId } });
    assert.equal(removed.freedBlocks, 1);
  });

  test('the address of a channel shows no secret; ours is shown, and made new', async () => {
    const body = { listing: 'cottage', url: 'https://channel.example/secret-7.ics' };
    const { calendarId } = await staff.done('operator.channelCalendar.add', { body });
    const list = await viewer.send('operator.channelCalendar.list', {
      query: { listing: 'cottage' },
    });
    assert.ok(!JSON.stringify(list.body).includes('secret-7'));
    assert.ok(JSON.stringify(list.body).includes('https://channel.example"'));
    const show = (rotate: boolean) =>
      staff.done('operator.channelCalendar.address', { body: { listing: 'cottage', rotate } });
    const { url } = await show(false);
    assert.deepEqual(await show(false), { url });
    assert.notEqual((await show(true)).url, url);
    await staff.done('operator.channelCalendar.remove', { params: { calendarId } });
  });

  // Spec: PROMOTION-8.
  test('a promotion is added, changed, listed with its uses, and ended', async () => {
    const promotion = { code: 'WEIR20', label: 'Spring', percent: 15, listings: ['cottage'] };
    const added = await staff.done('operator.promotion.add', { body: { catalog, promotion } });
    assert.deepEqual(
      [added.uses, added.state, added.promotion.listings],
      [0, 'active', ['cottage']],
    );
    const same = await Promise.all(
      [1, 2, 3, 4].map((percent) =>
        staff.send('operator.promotion.add', {
          body: { catalog, promotion: { code: 'ONCE', label: 'One of four', percent } },
        }),
      ),
    );
    assert.deepEqual(same.map(({ status }) => status).toSorted(), [201, 409, 409, 409]);
    const params = { code: 'weir20' };
    const body = { promotion: { ...promotion, percent: 20, maxUses: 5 } };
    const changed = await staff.done('operator.promotion.change', { params, body });
    assert.deepEqual([changed.promotion.percent, changed.promotion.maxUses], [20, 5]);
    assert.deepEqual((await lastAudit()).details['members'], [
      { path: '/percent', from: 15, to: 20 },
      { path: '/maxUses', from: null, to: 5 },
    ]);
    const again = await staff.refused('operator.promotion.add', { body: { catalog, promotion } });
    assert.equal(again.status, 409);
    const stateAfter = async (id: 'operator.promotion.pause' | 'operator.promotion.resume') =>
      (await staff.done(id, { params, body: {} })).state;
    assert.equal(await stateAfter('operator.promotion.pause'), 'paused');
    assert.equal(await stateAfter('operator.promotion.pause'), 'paused');
    assert.equal((await lastAudit()).action, 'promotion.pause');
    await staff.done('operator.promotion.change', { params, body });
    assert.equal(await stateAfter('operator.promotion.resume'), 'active');
    await staff.done('operator.promotion.pause', { params, body: {} });
    const ended = await staff.done('operator.promotion.end', { params, body: {} });
    assert.equal(ended.state, 'ended');
    const late = await staff.refused('operator.promotion.resume', { params, body: {} });
    assert.equal(late.message, 'The promotion WEIR20 has ended.');
    const { items } = await viewer.done('operator.promotion.list', { query: { catalog } });
    assert.ok(
      items.some(({ promotion: { code }, state }) => code === 'WEIR20' && state === 'ended'),
    );
    const unknown = { promotion: { ...promotion, code: 'OTHER', listings: ['nowhere'] } };
    const refusal = await staff.refused('operator.promotion.add', {
      body: { catalog, ...unknown },
    });
    assert.deepEqual(refusal.details, {
      fields: [{ path: '/promotion/listings/0', message: 'there is no nowhere' }],
    });
  });
});
