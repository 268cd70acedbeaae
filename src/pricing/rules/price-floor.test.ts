import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { runs } from '../../../test/harness/runs.ts';
import { largestAmount } from '../../contract/catalog-file.ts';
import { priceQuestions } from '../../../test/harness/arbitraries.ts';
import { dateDigits, dayNumber } from './calendar-date.ts';
import { extrasFloor, staysLike, totalFloor } from './price-floor.ts';
import type { Party, PricedListing, Rates } from './listing.ts';
import { priceStay, stayTotal as totalOf } from './price-stay.ts';
import { type DatedDay, datedDay, lowestPriceIn, nightPrices } from './rates.ts';

const nightsOf = ({ checkIn, checkOut }: { checkIn: number; checkOut: number }) =>
  Array.from({ length: checkOut - checkIn }, (_, at) => datedDay(checkIn + at));

const stayTotal = (
  listing: Omit<PricedListing, 'payment'>,
  nights: readonly DatedDay[],
  party: Party,
  adjustmentPercent: number,
) => totalOf(listing, { nights, party, daysAhead: 100, adjustmentPercent });

const adjustments = fc.oneof(
  fc.constantFrom(0, 8.25, -100, 1_000),
  fc.integer({ min: -10_000, max: 100_000 }).map((points) => points / 100),
);

/** Questions with and without prices of all nights, some with absurd amounts. */
const questions = fc
  .tuple(priceQuestions(), adjustments, fc.boolean(), fc.constantFrom(1, 1, 1, 1_000_000))
  .map(([{ listing, ...rest }, adjustmentPercent, isPriced, factor]) => {
    const { nightly, ...unpriced } = listing.rates;
    const all = { ...unpriced, ...(nightly !== undefined && { nightly: nightly * factor }) };
    return {
      ...rest,
      listing: { ...listing, rates: isPriced ? all : unpriced },
      adjustmentPercent,
    };
  });

type Question = typeof questions extends fc.Arbitrary<infer Q> ? Q : never;

suite('totals for comparison', () => {
  test('the total of priceStay, or null where it is null', () => {
    let priced = 0;
    fc.assert(
      fc.property(questions, ({ listing, stay, party, today, adjustmentPercent }) => {
        const charges = priceStay(listing, stay, party, { today, adjustmentPercent });
        const total = stayTotal(listing, nightsOf(stay), party, adjustmentPercent);
        assert.equal(total, charges?.total ?? null);
        priced += total === null ? 0 : 1;
      }),
      { numRuns: runs(400) },
    );
    assert.ok(priced > 100, `${priced} had a price`);
  });

  test('a total beyond the exact range of a number is null', () => {
    const listing = {
      currency: 'EUR',
      rates: {
        nightly: largestAmount,
        weekdays: {},
        seasons: [],
        dates: [],
        lengthDiscounts: [],
      },
      fees: Array.from({ length: 2 }, () => ({
        label: 'Guest',
        kind: 'fee' as const,
        per: 'guest_night' as const,
        amount: largestAmount,
      })),
      taxes: [],
    };
    const party = { adults: 99, children: 99, infants: 0, pets: 0 };
    const nights = nightsOf({ checkIn: 20_000, checkOut: 20_090 });
    assert.equal(stayTotal(listing, nights, party, 0), null);
  });
});

type Roundable = Parameters<typeof totalFloor>[1];

const rounded = (extras: Roundable): Roundable => ({
  perMinor: Math.fround(extras.perMinor),
  fixed: Math.fround(extras.fixed),
  perGuest: Math.fround(extras.perGuest),
  perAdult: Math.fround(extras.perAdult),
  perPet: Math.fround(extras.perPet),
  rounding: Math.fround(extras.rounding),
});

/** The lower bound of the totals of a question, as a search computes it: its numbers have 24 significant bits. */
function boundOf({ listing, stay, party, adjustmentPercent }: Question): number {
  const stays = staysLike([nightsOf(stay)], party, adjustmentPercent);
  let nights = 0;
  for (const part of stays.shapes[0]!) {
    nights += part.nights * Math.fround(lowestPriceIn(listing, part.month));
  }
  return Math.fround(totalFloor(nights, rounded(extrasFloor(listing, stays.nights)), stays));
}

suite('lower bounds of totals', () => {
  test('never above the total, and close to it where all nights cost the same', () => {
    fc.assert(
      fc.property(questions, (question) => {
        const { listing, stay, party, adjustmentPercent } = question;
        const total = stayTotal(listing, nightsOf(stay), party, adjustmentPercent) ?? Infinity;
        assert.ok(boundOf(question) <= total, `${boundOf(question)} is above ${total}`);
        const { seasons: _, dates: __, ...plain } = listing.rates;
        const rates = { ...plain, weekdays: {}, seasons: [], dates: [] };
        const fees = listing.fees.filter(({ fromGuest = 1 }) => fromGuest === 1);
        const even = { ...listing, rates, fees };
        const evenTotal = stayTotal(even, nightsOf(stay), party, adjustmentPercent) ?? Infinity;
        const bound = boundOf({ ...question, listing: even });
        const { rounding } = extrasFloor(even, stay.checkOut - stay.checkIn);
        const slack = 2 * rounding + 1 + evenTotal * 1e-5;
        assert.ok(bound <= evenTotal);
        assert.ok(bound === evenTotal || evenTotal - bound < slack, `${bound}, ${evenTotal}`);
      }),
      { numRuns: runs(400) },
    );
  });

  test('stays are alike by their nights in each month, their party and the channel adjustment', () => {
    const party = { adults: 2, children: 1, infants: 1, pets: 3 };
    const from = dayNumber('2027-12-31');
    const nights = nightsOf({ checkIn: from, checkOut: from + 61 });
    const earlier = nightsOf({ checkIn: from - 1, checkOut: from + 60 });
    const december = { month: { first: 20271201, last: 20271231 }, nights: 1 };
    const january = { month: { first: 20280101, last: 20280131 }, nights: 31 };
    const february = { month: { first: 20280201, last: 20280229 }, nights: 29 };
    assert.deepEqual(staysLike([nights, earlier], party, 10), {
      name: '3; 2; 3; 10; 202712,1 202801,31 202802,29; 202712,2 202801,31 202802,28',
      nights: 61,
      shapes: [
        [december, january, february],
        [{ ...december, nights: 2 }, january, { ...february, nights: 28 }],
      ],
      guests: 3,
      adults: 2,
      pets: 3,
      adjusted: 1.1,
    });
    const [one, other] = [10, 11].map((day) => {
      const checkIn = dayNumber(`2028-02-${day}`);
      return nightsOf({ checkIn, checkOut: checkIn + 2 });
    });
    assert.deepEqual(staysLike([one!, other!], party, 0), staysLike([other!], party, 0));
  });
});

suite('the lowest price of a month', () => {
  const march = { first: 20270301, last: 20270331 };
  const base = { nightly: 100, weekdays: {}, seasons: [], dates: [], lengthDiscounts: [] };
  const season = { name: 'A season', priority: 1 };
  const over = { from: '12-01', to: '04-30' };
  const dated = Array.from({ length: 31 }, (_, at) => {
    const date = `2027-03-${String(at + 1).padStart(2, '0')}`;
    return { from: date, to: date, nightly: 300 - at };
  });
  const cases: [name: string, rates: Partial<Rates>, lowest: number][] = [
    ['without seasons', {}, 100],
    ['on its cheapest weekday', { weekdays: { tue: 80 } }, 80],
    ['where a weekday is dearer', { weekdays: { sat: 180 } }, 100],
    ['without a price', { nightly: undefined } as unknown as Partial<Rates>, Infinity],
    [
      'in a season of the whole month',
      { seasons: [{ ...season, ...over, changePercent: 50 }] },
      150,
    ],
    [
      'in a season of another year',
      { seasons: [{ ...season, from: '2028-01-01', to: '2028-12-31', nightly: 40 }] },
      100,
    ],
    [
      'in a season of a part of it',
      { seasons: [{ ...season, from: '03-31', to: '06-30', nightly: 40 }] },
      40,
    ],
    [
      'beside a season of a part of it',
      { seasons: [{ ...season, from: '02-01', to: '03-30', nightly: 140 }] },
      100,
    ],
    [
      'with a break in a season over the turn of the year',
      { seasons: [{ ...season, from: '03-20', to: '03-10', nightly: 140 }] },
      100,
    ],
    [
      'hidden by a season of higher priority',
      {
        seasons: [
          { ...season, ...over, priority: 0, nightly: 10 },
          { ...season, ...over, nightly: 90 },
        ],
      },
      90,
    ],
    ['by a dated rate', { dates: [{ from: '2027-02-20', to: '2027-03-01', nightly: 60 }] }, 60],
    [
      'beside dated rates without a price',
      { dates: [{ from: '2027-03-01', to: '2027-03-31', minNights: 3 }] },
      100,
    ],
    ['where every night has a dated rate', { dates: dated }, 270],
    ['where every night but one has a dated rate', { dates: dated.slice(1) }, 100],
    [
      'by one dated rate for all',
      { dates: [{ from: '2027-01-01', to: '2027-12-31', nightly: 250 }] },
      250,
    ],
  ];
  for (const [name, rates, lowest] of cases) {
    test(name, () =>
      assert.equal(lowestPriceIn({ currency: 'EUR', rates: { ...base, ...rates } }, march), lowest),
    );
  }

  test('never above the price of a night, and one of them where seasons do not overlap', () => {
    let equal = 0;
    fc.assert(
      fc.property(questions, ({ listing, stay, party }) => {
        const [shape] = staysLike([nightsOf(stay)], party, 0).shapes;
        const { month } = shape![0]!;
        const first = stay.checkIn - ((dateDigits(stay.checkIn) % 100) - 1);
        const nights = nightsOf({ checkIn: first, checkOut: first + (month.last % 100) });
        const priceOf = nightPrices(listing, 0);
        const prices = nights.map((night) => priceOf(night) ?? Infinity);
        const bound = lowestPriceIn(listing, month);
        assert.ok(bound <= Math.min(...prices), `${bound} is above ${Math.min(...prices)}`);
        equal += bound === Math.min(...prices) ? 1 : 0;
      }),
      { numRuns: runs(400) },
    );
    assert.ok(equal > 200, `${equal} of 400 bounds were exact`);
  });
});
