/** What the reader of catalog files takes, and everything that it refuses. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { readEntry } from '../../src/catalog/file/entries.ts';
import type { CatalogFile, CatalogListing } from '../../src/contract/catalog-file.ts';
import { readWhole, sourceOf } from '../harness/catalog-files.ts';
import { simulatedCatalog } from '../../src/build/simulated-catalog.ts';

const home: CatalogListing = {
  slug: 'casa',
  name: 'Casa',
  currency: 'EUR',
  rates: { nightly: 18_000 },
};

const fileWith = (...listings: object[]): object => ({
  format: 'latchkey-catalog/1',
  catalog: { slug: 'harbour-homes', name: 'Harbour Homes', discovery: 'brand' },
  listings,
});

async function problemsOf(document: object | string): Promise<string[]> {
  const { first } = await readWhole(sourceOf(document));
  return first.map(({ pointer, message }) => `${pointer} ${message}`);
}

const season = (from: string, to: string, more: object = {}) => ({
  name: 'Any',
  from,
  to,
  ...more,
});
const seasons = (...all: object[]) => ({ rates: { seasons: all } });
const dates = (...all: object[]) => ({ rates: { dates: all } });
const discount = { label: 'Long', minNights: 7, percent: 5 };
const fee = { label: 'Fee', kind: 'fee', per: 'stay', amount: 1 };
const tax = { label: 'Tax', on: ['fees'], percent: 5 };
const cityTax = { label: 'Tax', per: 'stay', amount: 1 };
const image = { url: 'https://example.com/1.jpg', alt: '' };

/** What is changed of a home, and where the reader says so. */
const wrong: [why: string, change: object, ...pointers: string[]][] = [
  ['an unknown member', { colour: 'red' }, '/colour'],
  [
    'an unknown member deep inside',
    { rates: { nightly: 1, seasons: [season('01-01', '02-02', { x: 1 })] } },
    '/rates/seasons/0/x',
  ],
  ['a member that is missing', { name: undefined }, '/name'],
  [
    'several things at once',
    { name: 5, sleeps: 0, indexable: 'yes' },
    '/indexable',
    '/name',
    '/sleeps',
  ],
  [
    'a form and rules at once',
    {
      colour: 'red',
      timeZone: 'Mars/Base',
      currency: 5,
      stayRules: { minNights: 5, maxNights: 3, arrivalDays: [] },
      rates: { ...seasons(season('01-01', '02-02'), season('02-02', '03-03')).rates, nightly: 1.5 },
      fees: [{ ...fee, amount: 1.5, fromGuest: 2 }],
    },
    '/colour',
    '/currency',
    '/fees/0/amount',
    '/rates/nightly',
    '/rates/seasons/1/from',
    '/stayRules/arrivalDays',
    '/stayRules/minNights',
    '/timeZone',
  ],
  ['an amount with decimals', { rates: { nightly: 1.5 } }, '/rates/nightly'],
  ['an amount below 0', { rates: { nightly: -1 } }, '/rates/nightly'],
  ['no such weekday', { rates: { weekdays: { funday: 1 } } }, '/rates/weekdays/funday'],
  ['a slug with a space', { slug: 'my home' }, '/slug'],
  ['no such currency', { currency: 'EUX' }, '/currency'],
  ['no such time zone', { timeZone: 'Europe/Atlantis' }, '/timeZone'],
  ['an offset as time zone', { timeZone: '+01:00' }, '/timeZone'],
  [
    'no such time',
    { checkInFrom: '24:00', checkOutUntil: '9:00' },
    '/checkInFrom',
    '/checkOutUntil',
  ],
  ['no such collection', { collection: 'nowhere' }, '/collection'],
  [
    'a picture outside the folder',
    { images: [{ file: '../secret.svg', alt: '' }] },
    '/images/0/file',
  ],
  ['a picture without TLS', { images: [image, { ...image, url: 'http://x.y' }] }, '/images/1/url'],
  [
    'a policy that Latchkey writes',
    { policies: [{ label: 'Cancellation', body: '' }] },
    '/policies/0/label',
  ],
  [
    'dates that overlap',
    dates({ from: '2027-03-05', to: '2027-03-09' }, { from: '2027-03-01', to: '2027-03-05' }),
    '/rates/dates/0/from',
  ],
  [
    'dates that overlap a long entry, both',
    dates(
      { from: '2027-03-01', to: '2027-03-31' },
      { from: '2027-03-05', to: '2027-03-06' },
      { from: '2027-03-08', to: '2027-03-09' },
    ),
    '/rates/dates/1/from',
    '/rates/dates/2/from',
  ],
  [
    'dates that do not exist',
    dates({ from: '2027-02-29', to: '2027-03-32' }),
    '/rates/dates/0/from',
    '/rates/dates/0/to',
  ],
  [
    'dates before 1900 and after 8999',
    dates({ from: '0000-01-01', to: '9999-12-31' }),
    '/rates/dates/0/from',
    '/rates/dates/0/to',
  ],
  [
    'seasons before 1900 and after 8999',
    seasons(season('1899-12-31', '9000-01-01')),
    '/rates/seasons/0/from',
    '/rates/seasons/0/to',
  ],
  [
    'dates the wrong way round',
    dates({ from: '2027-03-02', to: '2027-03-01' }),
    '/rates/dates/0/to',
  ],
  [
    'seasons of one priority that overlap',
    seasons(season('03-01', '05-31'), season('05-31', '06-30')),
    '/rates/seasons/1/from',
  ],
  [
    'seasons that overlap over the new year',
    seasons(season('12-20', '01-05'), season('01-05', '02-01')),
    '/rates/seasons/1/from',
  ],
  [
    'a season of one year in one of every year',
    seasons(season('12-20', '01-05'), season('2027-01-03', '2027-01-20')),
    '/rates/seasons/1/from',
  ],
  [
    'a season of every year in one of one year',
    seasons(season('2027-05-01', '2028-05-01'), season('02-01', '02-02')),
    '/rates/seasons/1/from',
  ],
  [
    'a change together with prices',
    seasons(season('03-01', '05-31', { changePercent: 5, nightly: 1 })),
    '/rates/seasons/0/changePercent',
  ],
  ['a season of two forms', seasons(season('2027-03-01', '05-31')), '/rates/seasons/0/to'],
  ['no such day of the year', seasons(season('02-30', '05-31')), '/rates/seasons/0/from'],
  [
    'five decimals',
    {
      rates: { lengthDiscounts: [{ ...discount, percent: 5.12345 }] },
      taxes: [{ ...tax, percent: 0.00001 }],
      payment: { dueNowPercent: 33.33333 },
      cancellation: [{ daysBefore: 1, refundPercent: 1.00001 }],
    },
    '/cancellation/0/refundPercent',
    '/payment/dueNowPercent',
    '/rates/lengthDiscounts/0/percent',
    '/taxes/0/percent',
  ],
  [
    'two discounts for as many nights',
    { rates: { lengthDiscounts: [discount, discount] } },
    '/rates/lengthDiscounts/1/minNights',
  ],
  [
    'two cancellation rules for one day',
    {
      cancellation: [
        { daysBefore: 7, refundPercent: 1 },
        { daysBefore: 7, refundPercent: 2 },
      ],
    },
    '/cancellation/1/daysBefore',
  ],
  ['fromGuest without guests', { fees: [{ ...fee, fromGuest: 3 }] }, '/fees/0/fromGuest'],
  ['a tax on nothing known', { taxes: [tax, { ...tax, on: ['view'] }] }, '/taxes/1/on/0'],
  [
    'limits that a tax does not count',
    { taxes: [{ ...cityTax, adultsOnly: true, maxNights: 7 }] },
    '/taxes/0/adultsOnly',
    '/taxes/0/maxNights',
  ],
  [
    'more nights at least than at most',
    { stayRules: { minNights: 8, maxNights: 7 } },
    '/stayRules/minNights',
  ],
  ['91 nights', { stayRules: { maxNights: 91 } }, '/stayRules/maxNights'],
];

/** What contradicts what in a home: the message names the second place. */
const contradictions: [change: object, message: string][] = [
  [
    { taxes: [{ ...tax, staysUpToNights: 3, when: { stayNights: { max: 3 } } }] },
    '/listings/0/taxes/0/staysUpToNights must not be given together with /listings/0/taxes/0/when/stayNights, its long form',
  ],
  [
    { taxes: [{ ...cityTax, per: 'guest_night', adultsOnly: true, who: { ages: { from: 18 } } }] },
    '/listings/0/taxes/0/adultsOnly must not be given together with /listings/0/taxes/0/who, its long form',
  ],
  [
    { taxes: [{ ...tax, included: true, payAt: 'property' }] },
    '/listings/0/taxes/0/included must not be given together with /listings/0/taxes/0/payAt',
  ],
  [
    { stayRules: { advanceNoticeDays: 1, advanceNotice: { days: 1 } } },
    '/listings/0/stayRules/advanceNoticeDays must not be given together with /listings/0/stayRules/advanceNotice, its long form',
  ],
  [
    { payment: { dueNowPercent: 30, schedule: [{ percent: 30 }, { daysBefore: 10 }] } },
    '/listings/0/payment/dueNowPercent must not be given together with /listings/0/payment/schedule, its long form',
  ],
  [
    {
      payment: {
        schedule: [{ percent: 30 }, { daysBefore: 9, percent: 30 }, { daysBefore: 20 }],
      },
    },
    '/listings/0/payment/schedule/2/daysBefore must be less than that of /listings/0/payment/schedule/1',
  ],
  [
    seasons(season('03-01', '05-31', { changePercent: 5, weekdays: { fri: 1 } })),
    '/listings/0/rates/seasons/0/changePercent must not be given together with /listings/0/rates/seasons/0/weekdays',
  ],
  [
    seasons(season('03-01', '05-31'), season('05-31', '06-30')),
    '/listings/0/rates/seasons/1/from overlaps /listings/0/rates/seasons/0, which has the same priority',
  ],
  [
    { ...seasons(season('03-01', '05-31', { minNights: 20 })), stayRules: { maxNights: 14 } },
    '/listings/0/rates/seasons/0/minNights must not be more than maxNights, which is 14 by /listings/0/stayRules/maxNights',
  ],
  [
    { stayRules: { advanceNoticeDays: 300, bookingHorizonDays: 100 } },
    '/listings/0/stayRules/advanceNoticeDays is beyond the horizon of 100 days of /listings/0/stayRules/bookingHorizonDays',
  ],
  [
    {
      rates: { lengthDiscounts: [{ ...discount, minNights: 28 }] },
      stayRules: { maxNights: 14 },
    },
    '/listings/0/rates/lengthDiscounts/0/minNights no stay is longer than maxNights 14 of /listings/0/stayRules/maxNights',
  ],
  [
    { fees: [{ ...fee, id: 'a' }], taxes: [{ ...tax, id: 'a' }] },
    '/listings/0/taxes/0/id repeats /listings/0/fees/0/id',
  ],
  [
    { cancellation: [{ keep: { percent: 50 } }, { keep: { percent: 60 } }] },
    '/listings/0/cancellation/1/until is the instant of /listings/0/cancellation/0',
  ],
];

/** Names that are nearly right, and what is meant. */
const nearlyRight: [change: object, message: string][] = [
  [{ licence: 'AL-1' }, '/listings/0/licence is not known here; do you mean `registration`?'],
  [
    { rates: { nightley: 1 } },
    '/listings/0/rates/nightley is not known here; do you mean `nightly`?',
  ],
  [
    { fees: [{ ...fee, id: 'local' }], taxes: [{ ...tax, on: ['locale'] }] },
    '/listings/0/taxes/0/on/0 is not `accommodation`, `cleaning`, `fees` or the id of an earlier fee or tax; do you mean `local`?',
  ],
];

suite('catalog file › problems of a home', () => {
  for (const [change, message] of [...contradictions, ...nearlyRight]) {
    test(message, async () => {
      assert.deepEqual(await problemsOf(fileWith({ ...home, ...change })), [message]);
    });
  }

  for (const [why, change, ...pointers] of wrong) {
    // Spec: FILE-10.
    test(why, async () => {
      const listing = JSON.parse(JSON.stringify({ ...home, ...change })) as object;
      const found = await problemsOf(fileWith({ ...home, slug: 'other' }, listing));
      assert.deepEqual(
        found.map((problem) => problem.split(' ')[0]).toSorted(),
        pointers.map((pointer) => `/listings/1${pointer}`),
        found.join('\n'),
      );
    });
  }
  test('none where seasons of different priorities overlap, or others do not', async () => {
    const fine = seasons(
      season('03-01', '05-31'),
      season('04-01', '04-30', { priority: 1 }),
      season('06-01', '02-28'),
      season('2027-04-10', '2027-04-12', { priority: 2, nightly: 1 }),
      season('2028-04-10', '2028-04-12', { priority: 2, changePercent: -12.55 }),
    );
    assert.deepEqual(await problemsOf(fileWith({ ...home, ...fine })), []);
  });
});

suite('catalog file › problems of the whole', () => {
  const promotion = { code: 'SPRING', label: 'Spring', percent: 15 };
  const whole: [why: string, change: object, ...pointers: string[]][] = [
    ['another format', { format: 'latchkey-catalog/2' }, '/format'],
    ['an unknown member', { extra: 1 }, '/extra'],
    ['no catalog', { catalog: undefined }, '/catalog'],
    ['a list that is none', { listings: {} }, '/listings'],
    ['two homes of one slug', { listings: [home, home] }, '/listings/1/slug'],
    [
      'two homes of one ID, in capitals too',
      {
        listings: [
          { ...home, listingId: '0193a5c4-2f00-7000-8000-00000000000a' },
          { ...home, slug: 'b', listingId: '0193A5C4-2F00-7000-8000-00000000000A' },
        ],
      },
      '/listings/1/listingId',
    ],
    [
      'two collections of one slug',
      {
        catalog: {
          slug: 'a',
          name: 'A',
          discovery: 'brand',
          collections: [
            { slug: 'coast', name: 'One' },
            { slug: 'coast', name: 'Two' },
          ],
        },
      },
      '/catalog/collections/1/slug',
    ],
    [
      'a block of no home',
      { blocks: [{ listing: 'x', from: '2027-01-01', to: '2027-01-02' }] },
      '/blocks/0/listing',
    ],
    [
      'a block of no night',
      { blocks: [{ listing: 'casa', from: '2027-01-01', to: '2027-01-01' }] },
      '/blocks/0/to',
    ],
    [
      'two codes that differ in case',
      { promotions: [promotion, { ...promotion, code: 'spring' }] },
      '/promotions/1/code',
    ],
    [
      'a promotion of two kinds',
      { promotions: [{ ...promotion, amount: 5, currency: 'EUR' }] },
      '/promotions/0',
    ],
    [
      'an amount of no currency',
      { promotions: [{ code: 'A', label: 'A', amount: 5 }] },
      '/promotions/0/currency',
    ],
    [
      'a promotion for no home',
      { promotions: [{ ...promotion, listings: ['casa', 'x'], collections: ['y'] }] },
      '/promotions/0/collections/0',
      '/promotions/0/listings/1',
    ],
    [
      'a promotion that ends before it begins',
      { promotions: [{ ...promotion, stayFrom: '2027-05-02', stayTo: '2027-05-01' }] },
      '/promotions/0/stayTo',
    ],
  ];
  for (const [why, change, ...pointers] of whole) {
    test(why, async () => {
      const document = { ...fileWith(home), ...change };
      const found = await problemsOf(document);
      assert.deepEqual(
        found.map((problem) => problem.split(' ')[0]).toSorted(),
        pointers,
        found.join('\n'),
      );
    });
  }

  test('not an object at all', async () => {
    for (const [text, found] of [
      ['null', 'n'],
      ['[]', '['],
      ['"homes"', '"'],
      ['5', '5'],
    ] as const) {
      assert.deepEqual(await problemsOf(text), [
        ` is not JSON: expected an object, found ${found}`,
      ]);
    }
  });

  test('a home with a problem is not missing as well', async () => {
    const document = {
      ...fileWith({ ...home, name: 5 }),
      promotions: [{ ...promotion, listings: ['casa'] }],
    };
    assert.deepEqual(await problemsOf(document), ['/listings/0/name must be a string']);
  });
});

suite('catalog file › read', () => {
  // Spec: FILE-8.
  test('absent members take the simplest value', () => {
    const { entry } = readEntry('listings', home);
    assert.ok(entry);
    const { rates, stayRules, payment, party, ...rest } = entry;
    assert.deepEqual(rates, {
      nightly: 18_000,
      weekdays: {},
      seasons: [],
      dates: [],
      lengthDiscounts: [],
    });
    const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
    assert.deepEqual(stayRules, {
      minNights: 1,
      maxNights: 90,
      arrivalDays: days,
      departureDays: days,
      advanceNoticeDays: 0,
      bookingHorizonDays: 730,
    });
    assert.deepEqual(payment, { dueNowPercent: 100, balanceDaysBefore: 0 });
    assert.deepEqual(party, { children: true, infants: true, maxPets: 0 });
    assert.deepEqual(
      [rest.fees, rest.taxes, rest.cancellation, rest.indexable],
      [[], [], [], true],
    );
  });

  test('a time zone has its name as the IANA database writes it', () => {
    const zoneOf = (timeZone: string) =>
      readEntry('listings', { ...home, timeZone }).entry?.timeZone;
    assert.equal(zoneOf('europe/lisbon'), 'Europe/Lisbon');
    assert.equal(zoneOf('Asia/Calcutta'), 'Asia/Calcutta');
  });

  test('a promotion code with a blank in it is refused: no guest could enter it', () => {
    const { problems } = readEntry('promotions', { code: 'TWO WORDS', label: 'Two', percent: 1 });
    assert.deepEqual(
      problems.map(({ pointer }) => pointer),
      ['/code'],
    );
  });

  test('the homes of the simulation have no problems', () => {
    assert.equal(simulatedCatalog().listings.length, 120);
  });

  test('a collection and a home that are there already may be named', async () => {
    const document: CatalogFile = {
      ...(fileWith({ ...home, collection: 'coast' }) as CatalogFile),
      promotions: [{ code: 'A', label: 'A', percent: 1, listings: ['elsewhere'] }],
    };
    const known = { listings: new Set(['elsewhere']), collections: new Set(['coast']) };
    assert.equal((await readWhole(sourceOf(document), known)).count, 0);
  });
});
