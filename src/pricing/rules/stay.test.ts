import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { dayNumber } from './calendar-date.ts';
import { weekdays } from '../../contract/weekdays.ts';
import type { Season, Stay } from './listing.ts';
import {
  arrivalRules,
  departureAllowed,
  earliestCheckIn,
  latestCheckIn,
  nightsOf,
  stayInputRefusal,
  stayRuleRefusal as refusalAt,
  type StayLimits,
} from './stay.ts';
import { listings, staysFrom, todays } from '../../../test/harness/arbitraries.ts';

const TODAY = dayNumber('2027-03-01');

const season = (from: string, to: string, minNights?: number): Season => ({
  name: `${from} to ${to}`,
  from,
  to,
  ...(minNights !== undefined && { minNights }),
});

const limits = (
  rules: Partial<StayLimits['stayRules']> = {},
  seasons: Season[] = [],
): StayLimits => ({
  timeZone: null,
  rates: { weekdays: {}, seasons, dates: [], lengthDiscounts: [] },
  stayRules: {
    minNights: 1,
    maxNights: 90,
    arrivalDays: [...weekdays],
    departureDays: [...weekdays],
    advanceNoticeDays: 0,
    bookingHorizonDays: 730,
    ...rules,
  },
});

const noonOf = (day: number): number => (day + 0.5) * 86_400_000;

const stayRuleRefusal = (rules: StayLimits, asked: Stay, today: number) =>
  refusalAt(rules, asked, noonOf(today), () => false);

const stay = (checkIn: string, checkOut: string): Stay => ({
  checkIn: dayNumber(checkIn),
  checkOut: dayNumber(checkOut),
});

const pathsOf = (asked: Stay): string[] => stayInputRefusal(asked, TODAY).map(({ path }) => path);

suite('stay input', () => {
  test('stay input › a valid stay has no problems', () => {
    assert.deepEqual(stayInputRefusal(stay('2027-03-01', '2027-03-02'), TODAY), []);
  });

  test('stay input › check-out must be after check-in', () => {
    assert.deepEqual(stayInputRefusal(stay('2027-03-05', '2027-03-05'), TODAY), [
      { path: '/checkOut', message: 'must be after checkIn' },
    ]);
    assert.deepEqual(pathsOf(stay('2027-03-05', '2027-03-04')), ['/checkOut']);
  });

  // Spec: STAY-1.
  test('stay input › 90 nights pass, 91 do not', () => {
    const checkIn = TODAY;
    assert.deepEqual(pathsOf({ checkIn, checkOut: checkIn + 90 }), []);
    assert.deepEqual(stayInputRefusal({ checkIn, checkOut: checkIn + 91 }, TODAY), [
      { path: '/checkOut', message: 'must be at most 90 nights after checkIn' },
    ]);
  });

  test('stay input › today passes, yesterday does not', () => {
    assert.deepEqual(pathsOf(stay('2027-03-01', '2027-03-03')), []);
    assert.deepEqual(stayInputRefusal(stay('2027-02-28', '2027-03-03'), TODAY), [
      { path: '/checkIn', message: 'must not be before today at the property' },
    ]);
  });

  test('stay input › 730 days ahead pass, 731 do not', () => {
    // 2027-03-01 + 730 days = 2029-02-28, 2028 being a leap year.
    assert.deepEqual(pathsOf(stay('2029-02-28', '2029-03-05')), []);
    assert.deepEqual(stayInputRefusal(stay('2029-03-01', '2029-03-05'), TODAY), [
      { path: '/checkIn', message: 'must be at most 730 days from today' },
    ]);
  });

  // Spec: STAY-2.
  test('stay input › all problems are reported together', () => {
    assert.deepEqual(pathsOf(stay('2027-02-01', '2027-01-01')), ['/checkIn', '/checkOut']);
    assert.deepEqual(pathsOf(stay('2030-02-01', '2030-12-01')), ['/checkIn', '/checkOut']);
  });

  test('stay input › every stay from 1 to 90 nights within the horizon passes', () => {
    fc.assert(
      fc.property(
        todays().chain((today) => fc.tuple(fc.constant(today), staysFrom(today))),
        ([today, asked]) => assert.deepEqual(stayInputRefusal(asked, today), []),
      ),
    );
  });
});

suite('stay rules', () => {
  // 2027-03-03 is a Wednesday (3), 2027-03-06 a Saturday (6).
  const asked = stay('2027-03-03', '2027-03-06');

  // Spec: STAY-9.
  test('stay rules › advance notice counts whole days from today', () => {
    assert.equal(stayRuleRefusal(limits({ advanceNoticeDays: 2 }), asked, TODAY), null);
    assert.equal(stayRuleRefusal(limits({ advanceNoticeDays: 3 }), asked, TODAY), 'advance_notice');
    assert.equal(stayRuleRefusal(limits(), asked, asked.checkIn), null, '0: the same day is fine');
    assert.equal(
      earliestCheckIn(limits({ advanceNoticeDays: 2 }), noonOf(TODAY)),
      dayNumber('2027-03-03'),
    );
  });

  // Spec: STAY-10.
  test('stay rules › the horizon limits the arrival day, at most to that of the service', () => {
    assert.equal(stayRuleRefusal(limits({ bookingHorizonDays: 2 }), asked, TODAY), null);
    assert.equal(
      stayRuleRefusal(limits({ bookingHorizonDays: 1 }), asked, TODAY),
      'booking_horizon',
    );
    assert.equal(latestCheckIn(limits({ bookingHorizonDays: 9_999 }), TODAY), TODAY + 730);
  });

  test('stay rules › arrival and departure days', () => {
    assert.equal(stayRuleRefusal(limits({ arrivalDays: ['wed'] }), asked, TODAY), null);
    assert.equal(stayRuleRefusal(limits({ arrivalDays: ['sat'] }), asked, TODAY), 'arrival_day');
    assert.equal(stayRuleRefusal(limits({ departureDays: ['sat'] }), asked, TODAY), null);
    assert.equal(
      stayRuleRefusal(limits({ departureDays: ['wed'] }), asked, TODAY),
      'departure_day',
    );
  });

  // Spec: STAY-4.
  test('stay rules › minimum and maximum nights, both included', () => {
    assert.equal(stayRuleRefusal(limits({ minNights: 3, maxNights: 3 }), asked, TODAY), null);
    assert.equal(stayRuleRefusal(limits({ minNights: 4 }), asked, TODAY), 'min_nights');
    assert.equal(stayRuleRefusal(limits({ maxNights: 2 }), asked, TODAY), 'max_nights');
  });

  // Spec: STAY-12.
  test('stay rules › of several broken rules the first of the list is the reason', () => {
    const broken = [
      ['advance_notice', { advanceNoticeDays: 9 }],
      ['arrival_day', { arrivalDays: ['mon'] }],
      ['departure_day', { departureDays: ['mon'] }],
      ['min_nights', { minNights: 4 }],
      ['max_nights', { maxNights: 2 }],
      ['booking_horizon', { bookingHorizonDays: 1 }],
    ] satisfies [string, Partial<StayLimits['stayRules']>][];
    for (const [index, [reason]] of broken.entries()) {
      const rest = broken.slice(index).map(([, rules]) => rules);
      const rules = Object.assign({}, ...rest) as Partial<StayLimits['stayRules']>;
      assert.equal(stayRuleRefusal(limits(rules), asked, TODAY), reason);
    }
  });

  // Spec: STAY-5.
  test('stay rules › any night can ask for more nights, and the calendar says the larger number', () => {
    const through = { ...season('2027-07-10', '2027-07-20'), minNightsThrough: 7 };
    const crossed = limits({ minNights: 2 }, [through]);
    const refusalOf = (checkOut: string) =>
      stayRuleRefusal(crossed, stay('2027-07-08', checkOut), TODAY);
    assert.equal(refusalOf('2027-07-10'), null, 'leaves before that night');
    assert.equal(refusalOf('2027-07-11'), 'min_nights', '3 nights of 7');
    assert.equal(refusalOf('2027-07-14'), 'min_nights', '6 nights of 7');
    assert.equal(refusalOf('2027-07-15'), null);
    const minNightsOn = (date: string) => arrivalRules(crossed, dayNumber(date)).minNights;
    assert.deepEqual(['2027-07-09', '2027-07-10'].map(minNightsOn), [2, 7]);
  });

  // Spec: STAY-4.
  test('stay rules › the season of the arrival sets the minimum nights, not that of a later night', () => {
    const high = limits({ minNights: 2 }, [season('03-04', '03-31', 5)]);
    assert.equal(stayRuleRefusal(high, asked, TODAY), null, 'arrives the day before the season');
    const within = stay('2027-03-04', '2027-03-08');
    assert.equal(stayRuleRefusal(high, within, TODAY), 'min_nights', '4 nights of 5');
  });

  // Spec: STAY-3.
  test('stay rules › a season may lower the minimum of the listing, or not change it', () => {
    const day3 = dayNumber('2027-03-03');
    const rules = { minNights: 5 };
    assert.equal(arrivalRules(limits(rules, [season('03-01', '03-31', 2)]), day3).minNights, 2);
    assert.equal(arrivalRules(limits(rules, [season('03-01', '03-31')]), day3).minNights, 5);
    assert.equal(arrivalRules(limits(rules, [season('04-01', '04-30', 2)]), day3).minNights, 5);
  });

  test('stay rules › a stay is accepted exactly when calendar and notice allow it', () => {
    fc.assert(
      fc.property(
        todays().chain((today) => fc.tuple(fc.constant(today), staysFrom(today))),
        listings(),
        ([today, random], { timeZone: _, ...home }) => {
          const listing = { ...home, timeZone: null };
          const arrival = arrivalRules(listing, random.checkIn);
          const nights = nightsOf(random);
          const allowed =
            random.checkIn >= earliestCheckIn(listing, noonOf(today)) &&
            random.checkIn <= latestCheckIn(listing, today) &&
            arrival.checkInAllowed &&
            departureAllowed(listing, random.checkOut) &&
            nights >= arrival.minNights &&
            nights <= arrival.maxNights;
          assert.equal(stayRuleRefusal(listing, random, today) === null, allowed);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  // Spec: STAY-6.
  test('stay rules › arrivals and departures are checked by their own weekday', () => {
    const weekend = limits({ arrivalDays: ['fri', 'sat'], departureDays: ['sun'] });
    const days = ['2027-03-05', '2027-03-06', '2027-03-07'].map(dayNumber);
    assert.deepEqual(
      days.map((number) => arrivalRules(weekend, number).checkInAllowed),
      [true, true, false],
    );
    assert.deepEqual(
      days.map((number) => departureAllowed(weekend, number)),
      [false, false, true],
    );
  });
});
