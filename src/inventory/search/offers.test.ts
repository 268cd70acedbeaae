import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import {
  datedDay,
  dayNumber,
  epochMsAt,
  normaliseParty,
  partyRefusal,
  stayRuleRefusal,
  stayTotal,
} from '../../pricing/index.ts';
import { listings, parties, staysFrom, todays } from '../../../test/harness/arbitraries.ts';
import { easyStays } from '../../../test/harness/catalog.ts';
import { offersOf } from './offers.ts';

const couple = normaliseParty({ adults: 2 });

/** A home that allows every stay. */
const openHomes = listings().map((listing) => ({
  ...listing,
  sleeps: null,
  rates: { ...listing.rates, seasons: [], dates: [] },
  stayRules: easyStays,
}));

const questions = todays().chain((today) =>
  fc.record({
    listing: fc.oneof(listings(), openHomes),
    stay: staysFrom(today),
    party: fc.oneof(parties(), fc.constant(couple)),
    adjustmentPercent: fc.constantFrom(0, 8.25),
    today: fc.constantFrom(today, today + 1, today + 400),
  }),
);

const shiftOf = (stay: { checkIn: number; checkOut: number }) => ({
  stay,
  nights: Array.from({ length: stay.checkOut - stay.checkIn }, (_, at) =>
    datedDay(stay.checkIn + at),
  ),
});

const noonAt = (day: number, { timeZone }: { timeZone: string | null }): number =>
  epochMsAt(day, '12:00', timeZone);

const neverTaken = (): boolean => false;
const untaken = { isTaken: neverTaken };

suite('offers', () => {
  test('asked in any order and again, they are what the rules and prices say', () => {
    let offered = 0;
    let refused = 0;
    fc.assert(
      fc.property(fc.array(questions, { minLength: 1, maxLength: 5 }), (asked) => {
        // Each home is asked for the stays of all, so that what is remembered of another could be mistaken for its own.
        for (const { stay, party, adjustmentPercent, today } of [...asked, ...asked]) {
          const shift = shiftOf(stay);
          const offerOf = offersOf({ party, adjustmentPercent }, shift, untaken);
          for (const { listing } of asked) {
            const isAllowed =
              stay.checkIn >= today &&
              partyRefusal(listing, party) === null &&
              stayRuleRefusal(listing, stay, noonAt(today, listing), neverTaken) === null;
            const daysAhead = stay.checkIn - today;
            const { nights } = shift;
            const total = stayTotal(listing, { nights, party, daysAhead, adjustmentPercent });
            assert.deepEqual(
              offerOf(listing, 0, today, noonAt(today, listing)),
              isAllowed ? { stay, total } : null,
            );
            if (isAllowed) offered += 1;
            else refused += 1;
          }
        }
      }),
    );
    assert.ok(offered > 100 && refused > 100, `${offered} offers, ${refused} refusals`);
  });

  test('are the same when more are asked for than are remembered', () => {
    const today = dayNumber('2027-03-01');
    const homes = fc.sample(openHomes, { numRuns: 50, seed: 1 });
    const copies = Array.from({ length: 2_500 }, (_, at) => ({ ...homes[at % homes.length]! }));
    const asked = copies.map((home) => ({ home, now: noonAt(today, home) }));
    // One day of each of 22 months: more months of homes than are remembered.
    const stays = Array.from({ length: 22 }, (_, at) => today + 32 * at).map((checkIn) =>
      shiftOf({ checkIn, checkOut: checkIn + 7 }),
    );
    const offersAt = (shift: (typeof stays)[number], homesAsked: typeof asked) => {
      const offerOf = offersOf({ party: couple, adjustmentPercent: 0 }, shift, untaken);
      return homesAsked.map(({ home, now }) => offerOf(home, 0, today, now));
    };
    const first = stays.map((shift) => offersAt(shift, asked));
    assert.ok(first.flat().filter((offer) => offer !== null).length > 50_000);
    for (const [at, shift] of stays.entries()) {
      // What was asked last is remembered, what was asked first is not.
      const some = asked.slice(-50);
      assert.deepEqual(offersAt(shift, some), first[at]!.slice(-50));
    }
  });

  test('a rule that depends on the hour is decided again each time', () => {
    const today = dayNumber('2027-03-01');
    const [home] = fc.sample(openHomes, { numRuns: 1, seed: 1 });
    const listing = {
      ...home!,
      timeZone: null,
      stayRules: { ...easyStays, advanceNotice: { days: 0, until: '15:00' } },
    };
    const shift = shiftOf({ checkIn: today, checkOut: today + 7 });
    const offerOf = offersOf({ party: couple, adjustmentPercent: 0 }, shift, untaken);
    const isOffered = (time: string) =>
      offerOf(listing, 0, today, epochMsAt(today, time, null)) !== null;
    assert.deepEqual(['14:59', '15:00', '14:59'].map(isOffered), [true, false, true]);
  });

  test('a rule that depends on what is taken around a stay is decided again each time', () => {
    const today = dayNumber('2027-03-01');
    const [home] = fc.sample(openHomes, { numRuns: 1, seed: 1 });
    const stayRules = { ...easyStays, minNights: 5, gapMinNights: 2 };
    const listing = { ...home!, stayRules };
    const shift = shiftOf({ checkIn: today + 9, checkOut: today + 12 });
    let isTaken = false;
    const offerOf = offersOf({ party: couple, adjustmentPercent: 0 }, shift, {
      isTaken: () => isTaken,
    });
    const isOffered = (taken: boolean) => {
      isTaken = taken;
      return offerOf(listing, 0, today, noonAt(today, listing)) !== null;
    };
    assert.deepEqual([false, true, false].map(isOffered), [false, true, false]);
  });
});
