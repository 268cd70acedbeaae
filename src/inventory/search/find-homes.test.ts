import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { listings as anyListings } from '../../../test/harness/arbitraries.ts';
import { easyStays } from '../../../test/harness/catalog.ts';
import { greatCircleKm } from '../../catalog/index.ts';
import { homesPerSegment, segmentsOf } from '../../catalog/search-index/segments.ts';
import { prefixesOf, spellingsOf, wordsOf } from '../../catalog/search-index/words.ts';
import type { CatalogView, PublishedListing } from '../../catalog/view.ts';
import type { SearchListings } from '../../contract/partner/schemas/search.ts';
import {
  dateText,
  dayNumber,
  type Listing,
  normaliseParty,
  partyRefusal,
  priceStay,
  stayOf,
  stayRuleRefusal,
  todayAt,
  type Stay,
} from '../../pricing/index.ts';
import type { FreeHomes } from '../availability.ts';
import { candidatesOf } from './candidates.ts';
import { findHomes, type FoundHome, type ResultPosition } from './find-homes.ts';
import { homeSearchOf, type HomeSearch, type SearchSources } from './home-search.ts';

const now = Date.parse('2027-03-01T12:00:00Z');
const firstDay = dayNumber('2027-03-01');
const never = new AbortController().signal;

const viewOf = (listings: readonly PublishedListing[]): CatalogView => {
  const segments = segmentsOf(listings, []);
  return { listings, segments: () => segments } as Partial<CatalogView> as CatalogView;
};

const publishedAt = (listing: Listing, index: number): PublishedListing => {
  // Some homes have the same position.
  const listingId = `home-${String(index).padStart(6, '0')}`;
  const sortKey = { position: Math.floor(index / 3), listingId };
  return { listing: { ...listing, listingId }, sortKey } as PublishedListing;
};

const words = ['Alpbach', 'Tyrol', 'São Brás', 'Großarl', 'Alto', 'Tür'];
const names = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 2 });
const amenityNames = ['wifi', 'Sauna', 'Café'];

/** Degrees near the center of the searches; many homes are at the center, or at the same distance from it. */
const around = (center: number) =>
  fc.oneof(
    fc.constantFrom(center, center - 0.01, center + 0.01),
    fc.double({ min: center - 1, max: center + 1, noNaN: true }),
  );

/** Homes of a small world, so that most searches find some. */
const homes = fc
  .record({
    listing: anyListings(),
    name: names.map((some) => some.join(' ')),
    destination: fc.option(
      names.map((some) => some.join(', ')),
      { nil: null },
    ),
    amenities: fc.subarray(amenityNames),
    collectionId: fc.option(fc.constantFrom('c-1', 'c-2'), { nil: null }),
    geo: fc.option(
      fc.record({
        latitude: around(47),
        longitude: around(12),
      }),
      { nil: null },
    ),
    currency: fc.constantFrom('EUR', 'EUR', 'JPY'),
    isEasy: fc.boolean(),
    isPriced: fc.integer({ min: 0, max: 4 }).map((n) => n > 0),
  })
  .map(({ listing, isEasy, isPriced, ...rest }): Listing => {
    const { nightly, ...rates } = listing.rates;
    return {
      ...listing,
      ...rest,
      sleeps: isEasy ? 99 : listing.sleeps,
      stayRules: isEasy ? easyStays : listing.stayRules,
      rates: isPriced && nightly !== undefined ? { ...rates, nightly } : rates,
    };
  });

// Most searches have few members.
const maybe = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });

const searches: fc.Arbitrary<SearchListings> = fc
  .record({
    ahead: fc.integer({ min: 0, max: 60 }),
    nights: fc.integer({ min: 1, max: 12 }),
    adults: fc.integer({ min: 1, max: 4 }),
    pets: fc.constantFrom(0, 0, 1),
    collectionId: maybe(fc.constantFrom('c-1', 'c-9')),
    destination: maybe(fc.constantFrom('al', 'SAO b', 'grossarl', 'tür al', 'alp alt', 'x')),
    near: maybe(
      fc.record({
        latitude: fc.constant(47),
        longitude: fc.constant(12),
        radiusKm: fc.constantFrom(1, 60, 100, 500),
      }),
    ),
    amenities: maybe(fc.subarray(['WIFI', 'cafe', ' sauna ', 'pool'], { maxLength: 2 })),
    bedroomsMin: maybe(fc.integer({ min: 0, max: 4 })),
    maxTotal: maybe(
      fc.record({
        amount: fc.constantFrom(0, 50_000, 3_000_000, 30_000_000),
        currency: fc.constantFrom('EUR', 'JPY', 'USD'),
      }),
    ),
    sort: maybe(fc.constantFrom('position' as const, 'total' as const, 'distance' as const)),
    flexDays: maybe(fc.integer({ min: 0, max: 3 })),
  })
  .map(({ ahead, nights, adults, pets, sort, ...rest }) => {
    const checkIn = firstDay + ahead;
    const dates = { checkIn: dateText(checkIn), checkOut: dateText(checkIn + nights) };
    const order = sort === 'distance' && !rest.near ? undefined : sort;
    const members = Object.entries({ ...rest, sort: order }).filter(
      ([, value]) => value !== undefined,
    );
    return { ...dates, party: { adults, pets }, ...Object.fromEntries(members) };
  });

const isFreeOn =
  (modulus: number) =>
  (index: number, { checkIn, checkOut }: Stay): boolean =>
    (Math.imul(index + 1, 2_654_435_761) + Math.imul(checkIn, 40_503) + checkOut) % modulus === 0;

type IsFree = ReturnType<typeof isFreeOn>;

interface Expected {
  index: number;
  key: number;
  checkIn: number;
  total: number | null;
}

/** Whether every word of a text begins a word of the home. */
const isNamed = ({ destination, name }: Listing, text: string): boolean => {
  const known = wordsOf(`${destination ?? ''} ${name}`);
  return prefixesOf(text).every((prefix) =>
    known.some((one) => spellingsOf(prefix).some((spelling) => one.startsWith(spelling))),
  );
};

const plain = (text: string): string =>
  text.trim().normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

function isWanted(home: Listing, body: SearchListings): boolean {
  const { collectionId, destination, near, amenities = [], bedroomsMin = 0, maxTotal } = body;
  const has = new Set(home.amenities.map(plain));
  return (
    (collectionId === undefined || home.collectionId === collectionId) &&
    (destination === undefined || isNamed(home, destination)) &&
    (!near || (home.geo !== null && greatCircleKm(home.geo, near) <= near.radiusKm)) &&
    amenities.every((name) => has.has(plain(name))) &&
    (bedroomsMin === 0 || (home.bedrooms ?? 0) >= bedroomsMin) &&
    (!maxTotal || home.currency === maxTotal.currency)
  );
}

/** All results, by pricing every home in full and sorting. */
function expectedOf(
  listings: readonly PublishedListing[],
  body: SearchListings,
  adjustmentPercent: number,
  isFree: IsFree,
): Expected[] {
  const { near, maxTotal, sort, flexDays = 0 } = body;
  const party = normaliseParty(body.party);
  const asked = stayOf(body);
  const shifts = [0, -1, 1, -2, 2, -3, 3].slice(0, 1 + 2 * flexDays);
  const results = listings.flatMap(({ listing }, index): Expected[] => {
    if (!isWanted(listing, body) || partyRefusal(listing, party)) return [];
    const today = todayAt(now, listing.timeZone);
    const stays = shifts
      .map((days) => ({ checkIn: asked.checkIn + days, checkOut: asked.checkOut + days }))
      .filter((stay) => stay.checkIn >= today && !stayRuleRefusal(listing, stay, now, () => false))
      .filter((stay) => isFree(index, stay))
      .map((stay) => {
        const charges = priceStay(listing, stay, party, { today, adjustmentPercent });
        return { checkIn: stay.checkIn, total: charges?.total ?? null };
      });
    const totals = stays.map(({ total }) => total ?? Infinity);
    const best = stays[totals.indexOf(Math.min(...totals))];
    if (!best || (maxTotal && (best.total ?? Infinity) > maxTotal.amount)) return [];
    const byDistance = near && listing.geo ? greatCircleKm(near, listing.geo) : 0;
    const keys = { position: 0, total: best.total ?? Infinity, distance: byDistance };
    return [{ ...best, index, key: keys[sort ?? 'position'] }];
  });
  return results.toSorted((a, b) => (a.key === b.key ? a.index - b.index : a.key < b.key ? -1 : 1));
}

const freeHomesOf = (count: number, isFree: (index: number) => boolean): FreeHomes => ({
  isFree,
  isTaken: () => assert.fail('no home has a rule of gaps'),
  nextFree(from) {
    for (let index = from; index < count; index += 1) if (isFree(index)) return index;
    return -1;
  },
  count: () => assert.fail('no search counts'),
});

const sourcesOf = (
  listings: readonly PublishedListing[],
  search: HomeSearch,
  isFree: IsFree,
): SearchSources => ({
  view: viewOf(listings),
  free: search.shifts.map(({ stay }) =>
    freeHomesOf(listings.length, (index) => isFree(index, stay)),
  ),
  now,
  signal: never,
});

/** The results of all pages. */
async function pagesOf(
  search: HomeSearch,
  sources: SearchSources,
  size: number,
): Promise<FoundHome[]> {
  const results: FoundHome[] = [];
  for (let after: ResultPosition | null = null; ;) {
    const found = await findHomes(search, sources, { after, atMost: size });
    results.push(...found);
    if (found.length < size) return results;
    after = found.at(-1)!;
  }
}

const plainHome: Listing = {
  ...fc.sample(anyListings(), { numRuns: 1, seed: 1 })[0]!,
  timeZone: null,
  sleeps: null,
  stayRules: easyStays,
  rates: { nightly: 100, weekdays: {}, seasons: [], dates: [], lengthDiscounts: [] },
  fees: [],
  taxes: [],
};
const plainSearch: SearchListings = {
  checkIn: '2027-04-01',
  checkOut: '2027-04-04',
  party: { adults: 1 },
};
const manyHomes = (count: number): PublishedListing[] =>
  Array.from({ length: count }, (_, at) => publishedAt(plainHome, at));

suite('findHomes', () => {
  test('finds what pricing and sorting every home would find, on pages of any size', async () => {
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(
        // Copies of a few homes fill several segments.
        fc.array(homes, { minLength: 1, maxLength: 25 }),
        fc.constantFrom(1, 5, 25),
        fc.array(searches, { minLength: 8, maxLength: 8 }),
        fc.constantFrom(1, 2, 7),
        fc.constantFrom(0, 8.25, -12.5),
        fc.integer({ min: 1, max: 60 }),
        async (some, copies, bodies, modulus, adjustmentPercent, size) => {
          const listings = Array.from({ length: some.length * copies }, (_, at) =>
            publishedAt(some[(at * 7) % some.length]!, at),
          );
          const isFree = isFreeOn(modulus);
          for (const body of bodies) {
            const expected = expectedOf(listings, body, adjustmentPercent, isFree);
            const search = homeSearchOf(body, adjustmentPercent);
            const found = await pagesOf(search, sourcesOf(listings, search, isFree), size);
            assert.deepEqual(
              found.map(({ sortKey, key, stay, total }) => [sortKey, key, stay.checkIn, total]),
              expected.map(({ index, key, checkIn, total }) => [
                listings[index]!.sortKey,
                key,
                checkIn,
                total,
              ]),
            );
            compared += found.length;
          }
        },
      ),
      { numRuns: 200, endOnFailure: true },
    );
    assert.ok(compared > 2_000, `only ${compared} results were compared`);
  });

  /** Listings that count how often their price is read. */
  function countingPrices(nightlyAt: (at: number) => number) {
    let priced = 0;
    const listings = Array.from({ length: 20_000 }, (_, at) => {
      const published = publishedAt(plainHome, at);
      const rates = { ...plainHome.rates, nightly: nightlyAt(at) };
      const listing = Object.defineProperty(published.listing, 'rates', {
        get() {
          priced += 1;
          return rates;
        },
      });
      return { ...published, listing };
    });
    return { listings, priced: () => priced };
  }

  test('in the order of the list, it prices no further than necessary', async () => {
    const { listings, priced } = countingPrices(() => 100);
    const after = { key: 0, sortKey: listings[9_999]!.sortKey };
    const search = homeSearchOf(plainSearch, 0);
    const sources = sourcesOf(listings, search, () => true);
    const found = await findHomes(search, sources, { after, atMost: 51 });
    assert.deepEqual(
      found.map(({ sortKey }) => sortKey),
      listings.slice(10_000, 10_051).map(({ sortKey }) => sortKey),
    );
    // Each rule that a layer may state, and the total, read the rates.
    assert.ok(priced() <= 8 * 51, `${priced()} prices were read`);
  });

  test('by total, it prices few of the homes that differ in price', async () => {
    const { listings, priced } = countingPrices((at) => 1_000 + ((at * 7_919) % 20_000));
    const search = homeSearchOf({ ...plainSearch, sort: 'total' }, 0);
    const sources = sourcesOf(listings, search, (index) => index % 3 === 0);
    // The first search prepares the segments.
    await findHomes(search, sources, { after: null, atMost: 21 });
    const before = priced();
    const found = await findHomes(search, sources, { after: null, atMost: 21 });
    const pricesRead = priced() - before;
    const cheapest = listings
      .filter((_, index) => index % 3 === 0)
      .map(({ listing }) => 3 * listing.rates.nightly!)
      .toSorted((a, b) => a - b);
    assert.deepEqual(
      found.map(({ total }) => total),
      cheapest.slice(0, 21),
    );
    assert.ok(pricesRead < 100, `${pricesRead} prices were read`);
  });

  test('by total, it prepares the homes of one segment between two pauses', () => {
    const { listings, priced } = countingPrices(() => 1_000);
    const search = homeSearchOf({ ...plainSearch, sort: 'total' }, 0);
    const sources = sourcesOf(listings, search, () => true);
    let most = 0;
    let before = 0;
    for (const candidate of candidatesOf(search, sources, { key: -Infinity, index: -1 })) {
      most = Math.max(most, priced() - before);
      before = priced();
      if (candidate) break;
    }
    // Prices and extras of each home read its rates.
    assert.ok(most > 0 && most <= 2 * homesPerSegment, `${most} prices were read at once`);
    assert.equal(before, 2 * listings.length);
  });

  test('by distance, it looks further until enough homes accept the stay', async () => {
    const count = 4_000;
    const strict = { ...easyStays, minNights: 9 };
    // Two homes at each point.
    const steps = Array.from({ length: count }, (_, at) => ((at * 7_919) % count) >> 1);
    const listings = steps.map((step, at) => {
      const geo = { latitude: 47 + step / 10_000, longitude: 12 };
      const stayRules = step < 1_500 ? strict : easyStays;
      return publishedAt({ ...plainHome, geo, stayRules }, at);
    });
    const near = { latitude: 47, longitude: 12, radiusKm: 500 };
    const search = homeSearchOf({ ...plainSearch, near, sort: 'distance' }, 0);
    const sources = sourcesOf(listings, search, () => true);
    const found = await pagesOf(search, sources, 300);
    const expected = steps
      .map((step, index) => ({ step, index }))
      .filter(({ step }) => step >= 1_500)
      .toSorted((one, other) => one.step - other.step || one.index - other.index);
    assert.deepEqual(
      found.map(({ sortKey }) => sortKey),
      expected.map(({ index }) => listings[index]!.sortKey),
    );
  });

  test('a home that is taken during the search is no result', async () => {
    const listings = manyHomes(2_000);
    const search = homeSearchOf({ ...plainSearch, sort: 'total' }, 0);
    let asked = 0;
    const isFree = (index: number): boolean => {
      if (index !== 0) return true;
      // Once it is a candidate, the first home is taken.
      asked += 1;
      return asked === 1;
    };
    const found = await findHomes(search, sourcesOf(listings, search, isFree), {
      after: null,
      atMost: 2,
    });
    assert.deepEqual(
      found.map(({ published }) => published),
      listings.slice(1, 3),
    );
  });

  test('a sort key whose home is gone is still a sort key', async () => {
    const listings = manyHomes(10);
    const after = { key: 0, sortKey: listings[4]!.sortKey };
    const search = homeSearchOf(plainSearch, 0);
    const sources = sourcesOf(listings.toSpliced(4, 1), search, () => true);
    const found = await findHomes(search, sources, { after, atMost: 3 });
    assert.deepEqual(
      found.map(({ published }) => published),
      listings.slice(5, 8),
    );
  });

  for (const sort of ['position', 'total'] as const) {
    test(`lets other work run, and stops when it is aborted › by ${sort}`, async () => {
      // All are free, and the rules of none allow the stay.
      const strict = { ...plainHome, stayRules: { ...easyStays, minNights: 9 } };
      const listings = Array.from({ length: 60_000 }, (_, at) => publishedAt(strict, at));
      const ending = new AbortController();
      const search = homeSearchOf({ ...plainSearch, sort }, 0);
      const sources = { ...sourcesOf(listings, search, () => true), signal: ending.signal };
      setImmediate(() => ending.abort());
      const finding = findHomes(search, sources, { after: null, atMost: 21 });
      await assert.rejects(async () => finding, { name: 'AbortError' });
    });
  }
});
