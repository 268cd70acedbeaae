/** The optional members of a search, each compared with what searches without them find. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { ReplyOf } from '../../../src/contract/partner/operations.ts';
import type { SearchListings } from '../../../src/contract/partner/schemas/search.ts';
import { limits } from '../../../src/contract/limits.ts';
import {
  changeHome,
  changeHomes,
  easyStays,
  freeNights,
  homesOf,
  plainPrices,
  plainRates,
  plusDays,
} from '../../harness/catalog.ts';
import { daysAhead, type Partner } from '../../harness/partner.ts';
import { startTestService, type TestService } from '../../harness/service.ts';
import { invalidPaths } from '../../harness/well-formed.ts';

type Result = ReplyOf<'distribution.listing.search'>['body']['items'][number];
type Members = Partial<SearchListings>;

const stay = { checkIn: daysAhead(40), checkOut: daysAhead(43), party: { adults: 2 } };
const alpbach = { latitude: 47.3985, longitude: 11.944, radiusKm: 500 };

const { nightly: _nightly, ...unpriced } = plainRates;

let service: TestService;
let partner: Partner;
before(async () => {
  service = await startTestService();
  partner = await service.partner();
  // The first homes have names, places and prices that the tests know.
  const homes = await homesOf(service);
  const known = [
    { name: 'Zur Straßenbrücke', destination: 'Großarl, Ördög', currency: 'EUR' },
    { name: "Ca' d'Oro", destination: null, currency: 'EUR' },
    { name: '京都の家', destination: '嵐山', currency: 'JPY' },
  ];
  await changeHomes(
    service,
    partner,
    known.map((home, at) => [
      homes[at]!,
      {
        ...plainPrices,
        ...home,
        sleeps: null,
        stayRules: easyStays,
        party: { children: true, infants: true, maxPets: 0 },
        geo: at === 0 ? { latitude: 47.4, longitude: 11.95 } : null,
        bedrooms: at === 1 ? null : 2.5,
        amenities: at === 0 ? ['Wi-Fi', 'Café am Eck'] : [],
        rates: at === 1 ? unpriced : plainRates,
      },
    ]),
  );
});
after(() => service.stop());

/** The results of all pages. */
async function walk(body: Members = {}, limit = 50): Promise<Result[]> {
  const results: Result[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page: ReplyOf<'distribution.listing.search'>['body'] = await partner.succeed(
      'distribution.listing.search',
      { body: { ...stay, ...body, limit, ...(cursor !== undefined && { cursor }) } },
    );
    assert.ok(page.items.length === limit || page.nextCursor === null);
    results.push(...page.items);
    cursor = page.nextCursor;
  }
  return results;
}

const idsOf = (results: readonly Result[]): string[] =>
  results.map(({ listing }) => listing.listingId);

/** Without the members that only some searches have. */
const plainOf = ({ listing, total, currency }: Result) => ({ listing, total, currency });

const plain = (text: string): string =>
  text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** Sorted by a number; equal ones stay in their order. */
const sortedBy = (results: readonly Result[], keyOf: (result: Result) => number): Result[] =>
  results.toSorted((a, b) => (keyOf(a) === keyOf(b) ? 0 : keyOf(a) < keyOf(b) ? -1 : 1));

const totalOf = ({ total }: Result): number => total ?? Infinity;

/** Great-circle kilometres by the law of cosines. */
function kmTo({ listing: { geo } }: Result, { latitude, longitude }: typeof alpbach): number {
  if (!geo) return Infinity;
  const [a, b] = [(latitude * Math.PI) / 180, (geo.latitude * Math.PI) / 180];
  const east = ((geo.longitude - longitude) * Math.PI) / 180;
  const cosine = Math.sin(a) * Math.sin(b) + Math.cos(a) * Math.cos(b) * Math.cos(east);
  return 6_371.0088 * Math.acos(Math.min(1, cosine));
}

suite('distribution.listing.search › members beyond the specification', () => {
  test('without them › results have neither distance nor dates', async () => {
    const results = await walk();
    assert.ok(results.length > 20);
    for (const result of results) {
      assert.deepEqual(Object.keys(result), ['listing', 'total', 'currency']);
    }
  });

  // Spec: SEARCH-3.
  test('destination › each word begins a word of destination or name', async () => {
    const all = await walk();
    const isNamed = ({ listing }: Result, text: string): boolean => {
      const words = plain(`${listing.destination ?? ''} ${listing.name}`).split(/[^\p{L}\p{N}]+/u);
      return plain(text)
        .split(' ')
        .every((wanted) => words.some((word) => word.startsWith(wanted)));
    };
    const first = all.at(-1)!.listing;
    const word = first.destination!.split(/[^\p{L}]/u)[0]!;
    for (const text of ['a', word, word.toUpperCase(), `${word.slice(0, 3)} ${first.name[0]}`]) {
      const expected = all.filter((result) => isNamed(result, text));
      assert.ok(expected.length > 0, text);
      assert.deepEqual(await walk({ destination: text }), expected, text);
    }
    assert.deepEqual(await walk({ destination: 'qqqq' }), []);
  });

  test('destination › case, accents and letters that are written in several ways', async () => {
    const homes = await homesOf(service);
    const found: [text: string, at: number][] = [
      ['strassenbruc', 0],
      ['STRASSEN zur', 0],
      ['gROẞARL', 0],
      ['ordog', 0],
      ["d'Oro", 1],
      ['ca, oro!', 1],
      ['京都', 2],
      ['嵐 京', 2],
    ];
    // The homes are free on other nights each.
    const days = Array.from({ length: 12 }, (_, at) => 45 + 5 * at);
    for (const [destination, at] of found) {
      const isFound = async (ahead: number): Promise<boolean> => {
        const dates = { checkIn: daysAhead(ahead), checkOut: daysAhead(ahead + 1) };
        return idsOf(await walk({ ...dates, destination })).includes(homes[at]!.listingId);
      };
      let isFoundOnce = false;
      for (const ahead of days) isFoundOnce ||= await isFound(ahead);
      assert.ok(isFoundOnce, destination);
    }
  });

  // Spec: SEARCH-4.
  test('near › homes within the distance, with their distance', async () => {
    const all = await walk();
    for (const radiusKm of [0.5, 60, 500]) {
      const near = { ...alpbach, radiusKm };
      const results = await walk({ near });
      assert.deepEqual(
        results.map(plainOf),
        all.filter((result) => kmTo(result, near) <= radiusKm),
      );
      for (const result of results) {
        assert.equal(result.distanceKm, Math.round(kmTo(result, near) * 10) / 10);
      }
    }
  });

  test('near › everywhere on earth within 500 km is asked for without error', async () => {
    for (const [latitude, longitude] of [
      [90, 180],
      [-90, -180],
      [0, 180],
    ] as const) {
      await walk({ near: { latitude, longitude, radiusKm: 500 } });
    }
  });

  // Spec: SEARCH-5.
  test('amenities › all of them, with any case and accents', async () => {
    const all = await walk();
    const counts = new Map<string, number>();
    for (const { listing } of all) {
      for (const name of listing.amenities) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    const [one, two] = [...counts].toSorted(([, a], [, b]) => b - a).map(([name]) => name);
    for (const amenities of [[], [one!], [two!.toUpperCase(), ` ${one!} `, one!], ['nothing']]) {
      const wanted = amenities.map((name) => plain(name.trim()));
      const expected = all.filter(({ listing }) =>
        wanted.every((name) => listing.amenities.map(plain).includes(name)),
      );
      assert.deepEqual(await walk({ amenities }), expected);
    }
  });

  test('bedroomsMin › at least as many; homes that do not say only for 0', async () => {
    const all = await walk();
    for (const bedroomsMin of [0, 1, 3, 50]) {
      const expected = all.filter(
        ({ listing }) => bedroomsMin === 0 || (listing.bedrooms ?? 0) >= bedroomsMin,
      );
      assert.deepEqual(await walk({ bedroomsMin }), expected);
    }
  });

  // Spec: SEARCH-6.
  test('maxTotal › known totals of that currency, the amount included', async () => {
    const all = await walk();
    const priced = all.filter(({ total }) => total !== null);
    const { total, currency } = sortedBy(priced, totalOf)[Math.floor(priced.length / 2)]!;
    for (const amount of [0, total! - 1, total!, Number.MAX_SAFE_INTEGER]) {
      const expected = priced.filter((one) => one.currency === currency && one.total! <= amount);
      assert.deepEqual(await walk({ maxTotal: { amount, currency: currency! } }), expected);
    }
    assert.deepEqual(await walk({ maxTotal: { amount: 1e15, currency: 'XXX' } }), []);
  });

  test('maxTotal and sort › with the channel adjustment of the application', async () => {
    const dearer = await service.partner({ adjustPercent: 50 });
    const body = { ...stay, sort: 'total' as const, limit: 1 };
    const [cheapest] = await walk({ sort: 'total', maxTotal: { amount: 1e15, currency: 'EUR' } });
    const maxTotal = { amount: cheapest!.total!, currency: 'EUR' };
    const ours = await partner.succeed('distribution.listing.search', {
      body: { ...body, maxTotal },
    });
    assert.equal(ours.items[0]?.listing.listingId, cheapest!.listing.listingId);
    const theirs = await dearer.succeed('distribution.listing.search', {
      body: { ...body, maxTotal },
    });
    assert.ok(!idsOf(theirs.items).includes(cheapest!.listing.listingId));
  });

  // Spec: SEARCH-7.
  test('sort › by total, homes without one last; ties in the order of the list', async () => {
    const all = await walk();
    assert.deepEqual(await walk({ sort: 'position' }), all);
    assert.deepEqual(await walk({ sort: 'total' }), sortedBy(all, totalOf));
  });

  test('sort › by distance', async () => {
    const near = await walk({ near: alpbach });
    assert.ok(near.length > 2);
    const expected = sortedBy(near, (result) => kmTo(result, alpbach));
    assert.deepEqual(await walk({ near: alpbach, sort: 'distance' }), expected);
  });

  // Spec: SEARCH-8.
  test('flexDays › the cheapest shift that is available, of equal ones the nearest, then the earlier', async () => {
    const shifts = [0, -1, 1, -2, 2, -3, 3];
    const found = new Map<number, Map<string, Result>>();
    for (const days of shifts) {
      const dates = {
        checkIn: plusDays(stay.checkIn, days),
        checkOut: plusDays(stay.checkOut, days),
      };
      const results = await walk(dates);
      found.set(
        days,
        new Map(results.map((result) => [result.listing.listingId, { ...result, ...dates }])),
      );
    }
    const homes = await homesOf(service);
    for (const flexDays of [0, 1, 3]) {
      const allowed = shifts.slice(0, 1 + 2 * flexDays);
      const expected = homes.flatMap(({ listingId }) => {
        const results = allowed.flatMap((days) => found.get(days)!.get(listingId) ?? []);
        return sortedBy(results, totalOf).slice(0, 1);
      });
      assert.deepEqual(await walk({ flexDays }), expected);
      assert.deepEqual(await walk({ flexDays, sort: 'total' }, 7), sortedBy(expected, totalOf));
    }
  });

  test('flexDays › no shift into the past at the property', async () => {
    const today = { checkIn: daysAhead(0), checkOut: daysAhead(2) };
    const reply = await partner.call('distribution.listing.search', {
      body: { ...stay, ...today, flexDays: 3, limit: 50 },
    });
    assert.equal(reply.status, 200);
    const { items } = reply.body as { items: Result[] };
    assert.ok(items.every(({ checkIn }) => checkIn! >= daysAhead(-1)));
  });

  test('together › the intersection, in the order of the sort', async () => {
    const near = alpbach;
    const together = await walk({ near, bedroomsMin: 2, destination: 'a', sort: 'total' }, 3);
    const each = [
      await walk({ near }),
      await walk({ bedroomsMin: 2 }),
      await walk({ destination: 'a' }),
    ];
    const expected = each[0]!.filter(({ listing }) =>
      each.every((results) => idsOf(results).includes(listing.listingId)),
    );
    assert.deepEqual(together, sortedBy(expected, totalOf));
  });

  for (const [name, members] of Object.entries({
    position: { destination: 'a' },
    total: { sort: 'total' },
    distance: { near: alpbach, sort: 'distance' },
    'total with shifts': { sort: 'total', flexDays: 2 },
  } as const satisfies Record<string, Members>)) {
    test(`paging › by ${name} › no home twice, none skipped, on pages of any size`, async () => {
      const whole = await walk(members);
      const ids = idsOf(whole);
      assert.equal(new Set(ids).size, ids.length);
      for (const limit of [1, 4]) assert.deepEqual(await walk(members, limit), whole);
    });
  }
});

suite('distribution.listing.search › a home that changes', () => {
  test('is found by its new values, and no longer by its old ones', async () => {
    const [home] = await homesOf(service);
    const { checkIn, checkOut } = await freeNights(partner, home!.listingId, 2, daysAhead(10));
    const dates = { checkIn, checkOut };
    const isFound = async (members: Members): Promise<boolean> =>
      idsOf(await walk({ ...dates, ...members })).includes(home!.listingId);
    const maxTotal = { amount: 20_000, currency: 'EUR' };
    const earlier: Members[] = [{ destination: 'ordog' }, { amenities: ['wi-fi'] }, { maxTotal }];
    for (const members of earlier) assert.ok(await isFound(members), JSON.stringify(members));
    await changeHome(service, partner, home!, {
      destination: 'Elsewhere',
      amenities: ['Piano'],
      rates: { ...plainRates, nightly: 10_001 },
      geo: { latitude: 0, longitude: 0 },
      bedrooms: 50,
    });
    const now: Members[] = [
      { destination: 'elsewhere' },
      { amenities: ['piano'] },
      { maxTotal: { ...maxTotal, amount: 20_002 } },
      { near: { latitude: 0, longitude: 0.001, radiusKm: 1 } },
      { bedroomsMin: 50 },
    ];
    for (const members of earlier) assert.ok(!(await isFound(members)), JSON.stringify(members));
    for (const members of now) assert.ok(await isFound(members), JSON.stringify(members));
  });
});

suite('distribution.listing.search › asked again', () => {
  test('each search of each application gets its own members, page and cursor', async () => {
    const near = alpbach;
    const searches: Members[] = [
      {},
      { flexDays: 0 },
      { near },
      { near: { ...near, latitude: 47.3 } },
      { near, flexDays: 0 },
      { near: { ...near, radiusKm: 499 } },
      { limit: 4 },
      { sort: 'total' },
    ];
    const partners = [partner, await service.partner()];
    const asked = partners.flatMap((by) => searches.map((members) => ({ by, members })));
    const answer = async ({ by, members }: (typeof asked)[number], cursor?: string | null) => {
      const body = { ...stay, limit: 3, ...members, ...(cursor && { cursor }) };
      const { items, nextCursor } = await by.succeed('distribution.listing.search', { body });
      return { items, nextCursor };
    };
    const known = asked.map(() => new Set<string>());
    for (let round = 0; round < 4; round += 1) {
      for (const [at, one] of asked.entries()) {
        const first = await answer(one);
        // A cursor of another search or application is refused.
        const second = await answer(one, first.nextCursor);
        known[at]!.add(JSON.stringify([first, second]));
      }
    }
    for (const answers of known) assert.equal(answers.size, 1);
    assert.equal(new Set(known.flatMap((answers) => [...answers])).size, known.length);
  });
});

suite('distribution.listing.search › members beyond the specification › 400 invalid_input', () => {
  const near = { latitude: 1, longitude: 1, radiusKm: 1 };
  const maxTotal = { amount: 1, currency: 'EUR' };
  const wrong: [why: string, members: object, paths: string[]][] = [
    ['an empty destination', { destination: '' }, ['/destination']],
    ['a blank destination', { destination: ' \t' }, ['/destination']],
    ['a destination without letters and digits', { destination: '-– 🏠 \u0301' }, ['/destination']],
    ['a long destination', { destination: 'a'.repeat(101) }, ['/destination']],
    ['a destination with U+0000', { destination: 'a\u0000' }, ['/destination']],
    ['destination null', { destination: null }, ['/destination']],
    ['near without members', { near: {} }, ['/near/latitude', '/near/longitude', '/near/radiusKm']],
    ['latitude above 90', { near: { ...near, latitude: 90.1 } }, ['/near/latitude']],
    ['longitude below -180', { near: { ...near, longitude: -180.1 } }, ['/near/longitude']],
    ['radius 0', { near: { ...near, radiusKm: 0 } }, ['/near/radiusKm']],
    ['radius 501', { near: { ...near, radiusKm: 501 } }, ['/near/radiusKm']],
    ['radius as text', { near: { ...near, radiusKm: '5' } }, ['/near/radiusKm']],
    ['near with another member', { near: { ...near, radius: 5 } }, ['/near/radius']],
    ['21 amenities', { amenities: Array.from({ length: 21 }, () => 'wifi') }, ['/amenities']],
    ['an empty amenity', { amenities: ['wifi', ''] }, ['/amenities/1']],
    ['an amenity that is no text', { amenities: [1, 'wifi'] }, ['/amenities/0']],
    ['a long amenity', { amenities: ['a'.repeat(limits.amenityLength + 1)] }, ['/amenities/0']],
    ['amenities as text', { amenities: 'wifi' }, ['/amenities']],
    ['bedroomsMin -1', { bedroomsMin: -1 }, ['/bedroomsMin']],
    ['bedroomsMin 51', { bedroomsMin: 51 }, ['/bedroomsMin']],
    ['bedroomsMin 1.5', { bedroomsMin: 1.5 }, ['/bedroomsMin']],
    ['maxTotal as a number', { maxTotal: 5 }, ['/maxTotal']],
    ['maxTotal without currency', { maxTotal: { amount: 5 } }, ['/maxTotal/currency']],
    ['a negative amount', { maxTotal: { ...maxTotal, amount: -1 } }, ['/maxTotal/amount']],
    ['an amount of 2^53', { maxTotal: { ...maxTotal, amount: 2 ** 53 } }, ['/maxTotal/amount']],
    [
      'a currency in small letters',
      { maxTotal: { ...maxTotal, currency: 'eur' } },
      ['/maxTotal/currency'],
    ],
    ['another sort', { sort: 'price' }, ['/sort']],
    ['sort by distance without near', { sort: 'distance' }, ['/sort']],
    ['flexDays -1', { flexDays: -1 }, ['/flexDays']],
    ['flexDays 4', { flexDays: 4 }, ['/flexDays']],
    ['a member that is not known', { bedrooms: 2 }, ['/bedrooms']],
    [
      'several that only the service can check',
      { destination: '-', sort: 'distance', checkOut: stay.checkIn },
      ['/checkOut', '/destination', '/sort'],
    ],
  ];
  for (const [why, members, paths] of wrong) {
    test(why, async () => {
      const rawBody = JSON.stringify({ ...stay, ...members });
      assert.deepEqual(
        await invalidPaths(partner, 'distribution.listing.search', { rawBody }),
        paths,
      );
    });
  }

  test('the dates that were asked for must be valid, even if flexDays allows others', async () => {
    const body = { ...stay, checkIn: daysAhead(-2), checkOut: daysAhead(1), flexDays: 3 };
    assert.deepEqual(await invalidPaths(partner, 'distribution.listing.search', { body }), [
      '/checkIn',
    ]);
  });

  test('the largest values of all members are no error', async () => {
    await walk({
      destination: '\u{1d11e}a'.padEnd(101, 'x'),
      near: alpbach,
      amenities: Array.from({ length: 20 }, () => 'ﷺ'.repeat(200)),
      bedroomsMin: 50,
      maxTotal: { amount: Number.MAX_SAFE_INTEGER, currency: 'EUR' },
      sort: 'distance',
      flexDays: 3,
    });
  });
});
