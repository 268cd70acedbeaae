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

  test('are the same when more homes are asked for than are remembered', () => {
    const today = dayNumber('2027-03-01');
    const stay = { checkIn: today, checkOut: today + 7 };
    const offerOf = offersOf({ party: couple, adjustmentPercent: 0 }, shiftOf(stay), untaken);
    const homes = fc.sample(openHomes, { numRuns: 50, seed: 1 });
    const copies = Array.from({ length: 2_500 }, (_, at) => ({ ...homes[at % homes.length]! }));
    const offers = copies.map((home) => offerOf(home, 0, today, noonAt(today, home)));
    assert.ok(offers.some((offer) => offer !== null));
    assert.deepEqual(
      copies.map((home) => offerOf(home, 0, today, noonAt(today, home))),
      offers,
    );
  });
});
