import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { largestAmount } from '../../contract/catalog-file.ts';
import { priceQuestions } from '../../../test/harness/arbitraries.ts';
import { dayNumber } from './calendar-date.ts';
import type { Minor } from './listing.ts';
import {
  extrasFloor,
  floorFactors,
  lowestNight,
  namedDay,
  nightGroups,
  totalFloor,
  type ExtrasFloor,
} from './price-floor.ts';
import { priceStay, stayTotal } from './price-stay.ts';

const nightsOf = ({ checkIn, checkOut }: { checkIn: number; checkOut: number }) =>
  Array.from({ length: checkOut - checkIn }, (_, at) => namedDay(checkIn + at));

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

const rounded = (floor: ExtrasFloor): ExtrasFloor =>
  Object.fromEntries(
    Object.entries(floor).map(([name, value]) => [name, Math.fround(value)]),
  ) as unknown as ExtrasFloor;

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
      { numRuns: 400 },
    );
    assert.ok(priced > 100, `${priced} had a price`);
  });

  test('a total beyond the exact range of a number is null', () => {
    const listing = {
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

suite('lower bounds of totals', () => {
  test('never above the total, and close to it where all days of a month cost the same', () => {
    const floorOf = (
      {
        listing,
        stay,
        party,
        adjustmentPercent,
      }: typeof questions extends fc.Arbitrary<infer Q> ? Q : never,
      round: (value: Minor) => number = Math.fround,
    ): number => {
      const nights = nightsOf(stay);
      let lowest = 0;
      for (const { days, count } of nightGroups(nights)) {
        lowest += count * round(lowestNight(listing.rates, days));
      }
      const factors = floorFactors(nights.length, party, adjustmentPercent);
      const { perMinor, fixed, ...extras } = rounded(extrasFloor(listing, nights.length));
      const forGuests = extras.perGuest * factors.guests + extras.perAdult * factors.adults;
      const forParty = forGuests + extras.perPet * factors.pets;
      return totalFloor(lowest, factors, perMinor, fixed, forParty);
    };
    fc.assert(
      fc.property(questions, (question) => {
        const { listing, stay, party, adjustmentPercent } = question;
        const total = stayTotal(listing, nightsOf(stay), party, adjustmentPercent) ?? Infinity;
        assert.ok(floorOf(question) <= total, `${floorOf(question)} is above ${total}`);
        const { seasons: _, dates: __, ...plain } = listing.rates;
        const even = { ...listing, rates: { ...plain, seasons: [], dates: [] } };
        const fees = even.fees.filter(({ fromGuest = 1 }) => fromGuest === 1);
        const evenTotal =
          stayTotal({ ...even, fees }, nightsOf(stay), party, adjustmentPercent) ?? Infinity;
        const floor = floorOf({ ...question, listing: { ...even, fees } });
        const slack = 3 * (stay.checkOut - stay.checkIn) + 10 + evenTotal * 1e-5;
        assert.ok(floor <= evenTotal);
        assert.ok(floor === evenTotal || evenTotal - floor < slack, `${floor}, ${evenTotal}`);
      }),
      { numRuns: 400 },
    );
  });

  test('nights are grouped by month and weekday, with all such days of the month', () => {
    const from = dayNumber('2027-02-27');
    const groups = nightGroups(nightsOf({ checkIn: from, checkOut: from + 10 }));
    assert.deepEqual(
      groups.map(({ name, count, days }) => [name, count, days.length]),
      [
        ['2027-02 6', 1, 4],
        ['2027-02 7', 1, 4],
        ['2027-03 1', 2, 5],
        ['2027-03 2', 1, 5],
        ['2027-03 3', 1, 5],
        ['2027-03 4', 1, 4],
        ['2027-03 5', 1, 4],
        ['2027-03 6', 1, 4],
        ['2027-03 7', 1, 4],
      ],
    );
    const [saturdays] = groups;
    const dates = saturdays!.days.map(({ date }) => date);
    assert.deepEqual(dates, ['2027-02-06', '2027-02-13', '2027-02-20', '2027-02-27']);
  });
});
