/** The members of the catalog file that were added later: stored and exported as they were imported. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { readEntry } from '../../src/catalog/file/entries.ts';
import type { CatalogFile, CatalogListing } from '../../src/contract/catalog-file.ts';
import { readFileBlocks } from '../../src/inventory/index.ts';
import { changesOf, importFile } from '../harness/import-file.ts';
import { createTestDatabase, type TestDatabase } from '../harness/postgres.ts';
import { exportCatalog } from '../harness/acts.ts';

const home: CatalogListing = {
  slug: 'casa',
  name: 'Casa',
  propertyType: 'house',
  registration: { number: 'AL-123456/ALM' },
  address: { lines: ['Rua da Fonte 3'], postalCode: '7645-001', city: 'Vila Nova', country: 'PT' },
  arrivalInstructions: 'The key safe is left of the door.',
  timeZone: 'Europe/Lisbon',
  currency: 'EUR',
  rates: {
    nightly: 18_000,
    seasons: [
      {
        name: 'Changeover on Saturday',
        from: '07-01',
        to: '08-31',
        arrivalDays: ['sat'],
        departureDays: ['sat'],
        minNights: 7,
        maxNights: 28,
        minNightsThrough: 7,
        priority: 5,
      },
    ],
    dates: [{ from: '2027-12-31', to: '2027-12-31', nightly: 60_000, departureDays: ['sun'] }],
    lengthDiscounts: [
      { label: 'A week', minNights: 7, amount: 17_000 },
      { label: 'A month', minNights: 28, percent: 12.3456 },
    ],
    discounts: [{ label: 'Early bird', percent: 10, when: { daysAhead: { min: 90 } } }],
  },
  fees: [
    { id: 'service', label: 'Service', kind: 'fee', percent: 8, on: ['accommodation'] },
    {
      label: 'Short stay',
      kind: 'cleaning',
      per: 'stay',
      amount: 5_000,
      when: { stayNights: { max: 3 } },
    },
    { label: 'Linen', kind: 'fee', per: 'guest', amount: 1_200, payAt: 'property' },
  ],
  taxes: [
    {
      id: 'local',
      label: 'Tourist tax',
      per: 'guest_night',
      percent: 5,
      on: ['accommodation'],
      maxAmount: 230,
      who: { ages: { from: 18 } },
      payAt: 'property',
    },
    { label: 'Additional tax', on: ['local'], percent: 25, payAt: 'property' },
    {
      label: 'Stay tax',
      per: 'guest_night',
      tiers: [
        { from: 0, amount: 200 },
        { from: 600_000, amount: 400 },
      ],
    },
    { label: 'VAT', on: ['accommodation', 'service'], percent: 4.7125, included: true },
  ],
  payment: { schedule: [{ percent: 30 }, { daysBefore: 60, percent: 40 }, { daysBefore: 14 }] },
  securityDeposit: { amount: 30_000, dueDaysBefore: 1, returnedDaysAfter: 7 },
  stayRules: {
    preparationNights: 1,
    gapMinNights: 2,
    advanceNotice: { days: 0, until: '16:00' },
  },
  cancellation: [
    { until: { hoursBefore: 24, of: 'check_in' }, keep: { nights: 1 } },
    { until: { daysBefore: 30 }, keep: { percent: 0 } },
    { keep: { percent: 100, of: 'accommodation' } },
  ],
  cancellationGrace: { hours: 48, ifDaysAhead: 14 },
  cancellationAlwaysRefunds: ['cleaning', 'taxes'],
  cancellationText: { label: 'Stornierung', body: 'Nach unseren Bedingungen.' },
};

const file: CatalogFile = {
  format: 'latchkey-catalog/1',
  catalog: {
    slug: 'harbour',
    name: 'Harbour',
    discovery: 'brand',
    trader: { name: 'Harbour Lda', address: 'Rua do Cais 4', email: 'hello@harbour.example' },
    cancellationText: { label: 'Cancelling', body: 'As agreed.' },
  },
  listings: [home, { slug: 'plain', name: 'Plain', currency: 'EUR', rates: { nightly: 1_000 } }],
};

const problemsOf = (changes: object) =>
  readEntry('listings', { ...home, ...changes }).problems.map(
    ({ pointer, message }) => `${pointer} ${message}`,
  );

suite('further members of a home', () => {
  let database: TestDatabase;
  before(async () => {
    database = await createTestDatabase();
  });
  after(() => database.drop());

  async function exported(): Promise<CatalogFile> {
    let text = '';
    await exportCatalog(database.database, 'harbour', readFileBlocks, async (part) => {
      text += part;
    });
    return JSON.parse(text) as CatalogFile;
  }

  test('are exported as they were imported; the second import changes nothing', async () => {
    await importFile(database.database, file);
    const first = await exported();
    const [found] = first.listings!;
    for (const [name, value] of Object.entries(home)) {
      if (['rates', 'stayRules'].includes(name)) continue;
      assert.deepEqual(found![name as keyof CatalogListing], value, name);
    }
    assert.partialDeepStrictEqual(found!.rates, home.rates);
    assert.partialDeepStrictEqual(found!.stayRules, home.stayRules);
    assert.equal(found!.stayRules?.advanceNoticeDays, undefined);
    assert.partialDeepStrictEqual(first.catalog, file.catalog);
    for (const again of [file, first]) {
      assert.deepEqual(changesOf(await importFile(database.database, again)), {});
    }
    assert.deepEqual(await exported(), first);
  });

  test('a member that is left out is gone', async () => {
    const { securityDeposit: _, stayRules: __, payment: ___, ...less } = home;
    await importFile(database.database, { ...file, listings: [less] });
    const [found] = (await exported()).listings!;
    assert.deepEqual(
      [found!.securityDeposit, found!.stayRules?.gapMinNights, found!.payment?.schedule],
      [undefined, undefined, undefined],
    );
  });
});

suite('problems of further members', () => {
  const cases: [name: string, changes: object, problem: RegExp][] = [
    ['the member that is meant', { licence: 'x' }, /^\/licence .* mean `registration`\?$/],
    ['a misspelt member', { secruityDeposit: {} }, /^\/secruityDeposit .* `securityDeposit`\?$/],
    ['a withdrawn currency', { currency: 'HRK' }, /^\/currency .*withdrawn; use EUR$/],
    [
      'a short and a long form',
      { payment: { dueNowPercent: 1, schedule: [{}] } },
      /^\/payment\/due/,
    ],
    [
      'a later line',
      {
        taxes: [
          { label: 'A', on: ['b'], percent: 1 },
          { id: 'b', label: 'B', per: 'stay', amount: 1 },
        ],
      },
      /^\/taxes\/0\/on\/0 /,
    ],
    [
      'less nights than the minimum, with both places',
      {
        rates: { seasons: [{ name: 'S', from: '05-01', to: '05-31', maxNights: 2 }] },
        stayRules: { minNights: 3 },
      },
      /^\/rates\/seasons\/0\/maxNights .*3 by \/stayRules\/minNights$/,
    ],
    [
      'a notice beyond the horizon',
      { stayRules: { advanceNoticeDays: 40, bookingHorizonDays: 30 } },
      /^\/stayRules\/advanceNoticeDays .*\/stayRules\/bookingHorizonDays$/,
    ],
    [
      'a discount for a length that no stay can have',
      {
        rates: { lengthDiscounts: [{ label: 'A month', minNights: 28, percent: 5 }] },
        stayRules: { maxNights: 14 },
      },
      /^\/rates\/lengthDiscounts\/0\/minNights .*\/stayRules\/maxNights$/,
    ],
    [
      'both forms of cancellation',
      { cancellation: [{ daysBefore: 1, refundPercent: 1 }, { keep: { nights: 1 } }] },
      /^\/cancellation\/1 .*\/cancellation\/0/,
    ],
    [
      'days that do not fall',
      { payment: { schedule: [{ percent: 1 }, { daysBefore: 5, percent: 1 }, { daysBefore: 5 }] } },
      /^\/payment\/schedule\/2\/daysBefore /,
    ],
  ];
  for (const [name, changes, problem] of cases) {
    test(name, () => {
      const problems = problemsOf(changes);
      assert.ok(
        problems.some((one) => problem.test(one)),
        problems.join('\n'),
      );
    });
  }

  // Spec: FILE-9.
  test('an upper layer decides by itself whether stays are possible', () => {
    const seasons = [
      { name: 'Long', from: '05-01', to: '05-31', maxNights: 28 },
      { name: 'Short', from: '05-10', to: '05-20', minNights: 10, priority: 1 },
    ];
    assert.deepEqual(problemsOf({ rates: { seasons }, stayRules: { maxNights: 7 } }), []);
  });
});
