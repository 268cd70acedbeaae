import fc from 'fast-check';
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { weekdays } from '../../contract/weekdays.ts';
import type { Stay } from './listing.ts';
import { arrivalWindow, nearestStays } from './nearest-stays.ts';
import { nightsOf, type StayLimits, stayRuleRefusal } from './stay.ts';

const today = 20_000;
const now = (today + 0.5) * 86_400_000;
const nothingTaken = (): boolean => false;
const limitsWith = (stayRules: Partial<StayLimits['stayRules']>): StayLimits => ({
  timeZone: null,
  rates: { weekdays: {}, seasons: [], dates: [], lengthDiscounts: [] },
  stayRules: {
    minNights: 1,
    maxNights: 90,
    arrivalDays: [...weekdays],
    departureDays: [...weekdays],
    advanceNoticeDays: 0,
    bookingHorizonDays: 40,
    ...stayRules,
  },
});

const days = fc.uniqueArray(fc.constantFrom(...weekdays), { minLength: 1 });
const rules = fc.record({
  minNights: fc.integer({ min: 1, max: 5 }),
  maxNights: fc.integer({ min: 3, max: 9 }),
  arrivalDays: days,
  departureDays: days,
  advanceNoticeDays: fc.integer({ min: 0, max: 6 }),
});

/** The same by trying every stay. */
function byTrying(limits: StayLimits, wanted: Stay, nights: Uint8Array, from: number): Stay[] {
  const all: Stay[] = [];
  for (let checkIn = from; checkIn < from + nights.length; checkIn++) {
    for (let checkOut = checkIn + 1; checkOut <= from + nights.length; checkOut++) {
      all.push({ checkIn, checkOut });
    }
  }
  const moved = ({ checkIn, checkOut }: Stay): number =>
    Math.abs(checkIn - wanted.checkIn) + Math.abs(checkOut - wanted.checkOut);
  return all
    .filter((stay) => nightsOf(stay) <= 90 && moved(stay) > 0)
    .filter((stay) => stayRuleRefusal(limits, stay, now, nothingTaken) === null)
    .filter(
      ({ checkIn, checkOut }) => !nights.subarray(checkIn - from, checkOut - from).includes(0),
    )
    .toSorted((a, b) => moved(a) - moved(b) || a.checkIn - b.checkIn || a.checkOut - b.checkOut);
}

suite('nearest stays', () => {
  // Spec: ERROR-8.
  test('nearest stays › are those that trying every stay finds', () => {
    const input = fc.record({
      rules,
      open: fc.array(fc.boolean(), { minLength: 45, maxLength: 60 }),
      checkIn: fc.integer({ min: today - 5, max: today + 60 }),
      nights: fc.integer({ min: 1, max: 12 }),
    });
    fc.assert(
      fc.property(input, ({ rules: chosen, open, checkIn, nights }) => {
        const limits = limitsWith(chosen);
        const wanted = { checkIn, checkOut: checkIn + nights };
        const { first } = arrivalWindow(limits, now);
        const free = Uint8Array.from(open, Number);
        const found = nearestStays(
          limits,
          wanted,
          now,
          { from: first, nights: free, isTaken: nothingTaken },
          3,
          (s) => s,
        );
        assert.deepEqual(found, byTrying(limits, wanted, free, first).slice(0, 3));
      }),
      { numRuns: 300 },
    );
  });

  test('nearest stays › one that is not accepted makes room for the next', () => {
    const open = { from: today, nights: new Uint8Array(40).fill(1), isTaken: nothingTaken };
    const wanted = { checkIn: today + 5, checkOut: today + 8 };
    const found = nearestStays(limitsWith({}), wanted, now, open, 2, (stay) =>
      stay.checkIn === today + 5 ? null : stay,
    );
    assert.deepEqual(found, [
      { checkIn: today + 4, checkOut: today + 8 },
      { checkIn: today + 6, checkOut: today + 8 },
    ]);
  });

  test('nearest stays › a home that is full has none', () => {
    const open = { from: today, nights: new Uint8Array(40), isTaken: () => true };
    const wanted = { checkIn: today + 5, checkOut: today + 8 };
    assert.deepEqual(
      nearestStays(limitsWith({}), wanted, now, open, 3, (stay) => stay),
      [],
    );
  });
});
