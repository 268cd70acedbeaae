/**
 * Generators of domain values for property tests: listings that an operator could well keep, with
 * awkward amounts, and the stays, parties and promotions that meet them.
 */

import * as fc from 'fast-check';
import { dayNumber, monthDayText } from '../../src/domain/calendar-date.ts';
import type {
  BasisPoints,
  CancellationRule,
  DayNumber,
  Fee,
  LengthDiscount,
  Listing,
  Minor,
  Party,
  PartyRules,
  PaymentPlan,
  Policy,
  RateCard,
  Season,
  Stay,
  StayRules,
  Tax,
  Weekday,
} from '../../src/domain/listing.ts';
import type { Promotion } from '../../src/domain/promotion.ts';

const CURRENCIES = ['USD', 'EUR', 'JPY', 'KWD'];
const WEEKDAYS: Weekday[] = [1, 2, 3, 4, 5, 6, 7];
const FEE_UNITS: Fee['per'][] = ['stay', 'night', 'guest', 'guest_night', 'pet', 'pet_night'];
const FIRST_TODAY = dayNumber('2024-01-01');
const LAST_TODAY = dayNumber('2036-12-31');
const LEAP_YEAR_BEGINS = dayNumber('2028-01-01');

/** Zones with and without daylight saving, odd offsets, and clocks that change at midnight. */
export const TIME_ZONES = [
  'UTC',
  'America/New_York',
  'America/Havana',
  'America/Santiago',
  'America/St_Johns',
  'Europe/Berlin',
  'Europe/Lisbon',
  'Africa/Cairo',
  'Africa/Casablanca',
  'Asia/Beirut',
  'Asia/Kathmandu',
  'Asia/Tokyo',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Pacific/Chatham',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
];

/** Any day of the years that the service will see. */
export const todays = (): fc.Arbitrary<DayNumber> =>
  fc.integer({ min: FIRST_TODAY, max: LAST_TODAY });

/** A zone of the world, or none. */
export const timeZones = (): fc.Arbitrary<string | null> =>
  fc.option(fc.constantFrom(...TIME_ZONES), { nil: null });

/** A share from nothing to all. */
export const shares = (): fc.Arbitrary<BasisPoints> => fc.integer({ min: 0, max: 10_000 });

/** An amount of zero or more, small ones as likely as large. */
export const amounts = (max: Minor = 5_000_000): fc.Arbitrary<Minor> =>
  fc.oneof(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max }));

const labels = (): fc.Arbitrary<string> => fc.string({ minLength: 1, maxLength: 12 });

const monthDays = (): fc.Arbitrary<string> =>
  fc.integer({ min: 0, max: 365 }).map((offset) => monthDayText(LEAP_YEAR_BEGINS + offset));

const weekdays = (): fc.Arbitrary<Weekday[]> =>
  fc.oneof(fc.constant(WEEKDAYS), fc.subarray(WEEKDAYS, { minLength: 1 }));

/** A season anywhere in the year, the new year included. */
export const seasons = (): fc.Arbitrary<Season> =>
  fc.record({
    name: labels(),
    from: monthDays(),
    to: monthDays(),
    priceChange: fc.integer({ min: -10_000, max: 20_000 }),
    minNights: fc.option(fc.integer({ min: 1, max: 14 }), { nil: null }),
  });

/** A discount for long stays. */
export const lengthDiscounts = (): fc.Arbitrary<LengthDiscount> =>
  fc.record({ label: labels(), minNights: fc.integer({ min: 1, max: 60 }), off: shares() });

/** A fee of any kind and unit. */
export const fees = (): fc.Arbitrary<Fee> =>
  fc.record({
    kind: fc.constantFrom('cleaning', 'fee'),
    label: labels(),
    per: fc.constantFrom(...FEE_UNITS),
    amount: amounts(50_000),
  });

/** A tax on any basis. */
export const taxes = (): fc.Arbitrary<Tax> =>
  fc.oneof(
    fc.record({
      label: labels(),
      basis: fc.constantFrom('accommodation', 'accommodation_and_fees'),
      rate: fc.integer({ min: 0, max: 3_000 }),
    }),
    fc.record({ label: labels(), basis: fc.constant('guest_night'), amount: amounts(1_000) }),
  );

/** A plan from all later to all now. */
export const paymentPlans = (): fc.Arbitrary<PaymentPlan> =>
  fc.record({
    dueNow: fc.oneof(fc.constantFrom(0, 5_000, 10_000), shares()),
    balanceDaysBefore: fc.integer({ min: 0, max: 120 }),
  });

/** Everything that a price is made of. */
export const rateCards = (): fc.Arbitrary<RateCard> =>
  fc.record({
    currency: fc.constantFrom(...CURRENCIES),
    weekdayNight: amounts(),
    weekendNight: amounts(),
    seasons: fc.array(seasons(), { maxLength: 4 }),
    lengthDiscounts: fc.array(lengthDiscounts(), { maxLength: 3 }),
    fees: fc.array(fees(), { maxLength: 5 }),
    taxes: fc.array(taxes(), { maxLength: 3 }),
    paymentPlan: paymentPlans(),
  });

/** Rules on who may stay. */
export const partyRules = (): fc.Arbitrary<PartyRules> =>
  fc.record({
    children: fc.boolean(),
    infants: fc.boolean(),
    maxPets: fc.integer({ min: 0, max: 3 }),
  });

/** Rules on when a stay may begin and end; the least stay is never above the longest. */
export const stayRules = (): fc.Arbitrary<StayRules> =>
  fc.integer({ min: 1, max: 90 }).chain((maxNights) =>
    fc.record({
      minNights: fc.integer({ min: 1, max: maxNights }),
      maxNights: fc.constant(maxNights),
      arrivalDays: weekdays(),
      departureDays: weekdays(),
      advanceNoticeDays: fc.integer({ min: 0, max: 14 }),
    }),
  );

/** Rules on what comes back, in any order, with repeats. */
export const cancellationRules = (): fc.Arbitrary<CancellationRule[]> =>
  fc.array(fc.record({ daysBefore: fc.integer({ min: 0, max: 120 }), refund: shares() }), {
    maxLength: 4,
  });

const policies = (): fc.Arbitrary<Policy[]> =>
  fc.array(fc.record({ label: labels(), body: fc.string() }), { maxLength: 3 });

/** A listing with rules of every kind, null wherever it may be. */
export const listings = (): fc.Arbitrary<Listing> =>
  fc.record({
    listingId: fc.uuid(),
    slug: fc.stringMatching(/^[a-z]{3,8}(-[a-z]{3,8})?$/),
    name: labels(),
    description: fc.option(fc.string(), { nil: null }),
    blurb: fc.option(fc.string(), { nil: null }),
    collectionId: fc.option(fc.uuid(), { nil: null }),
    timeZone: timeZones(),
    destination: fc.option(labels(), { nil: null }),
    sleeps: fc.option(fc.integer({ min: 1, max: 16 }), { nil: null }),
    bedrooms: fc.option(fc.integer({ min: 0, max: 8 }), { nil: null }),
    bathrooms: fc.option(fc.constantFrom(0, 1, 1.5, 2, 3.5), { nil: null }),
    pictures: fc.array(fc.record({ path: fc.constant('/pictures/1.svg'), alt: labels() }), {
      maxLength: 2,
    }),
    amenities: fc.array(labels(), { maxLength: 3 }),
    policies: policies(),
    spaces: fc.array(
      fc.record({
        type: fc.constantFrom('bedroom', 'living_room'),
        name: fc.option(labels(), { nil: null }),
        isPrivate: fc.option(fc.boolean(), { nil: null }),
        beds: fc.array(
          fc.record({ type: fc.constant('queen'), quantity: fc.integer({ min: 1, max: 3 }) }),
          { maxLength: 2 },
        ),
      }),
      { maxLength: 2 },
    ),
    geo: fc.option(
      fc.record({
        latitude: fc.double({ min: -90, max: 90, noNaN: true }),
        longitude: fc.double({ min: -180, max: 180, noNaN: true }),
      }),
      { nil: null },
    ),
    indexable: fc.boolean(),
    rates: rateCards(),
    partyRules: partyRules(),
    stayRules: stayRules(),
    cancellation: cancellationRules(),
  });

/** A party that the service takes in, whether or not a home does. */
export const parties = (): fc.Arbitrary<Party> =>
  fc.record({
    adults: fc.integer({ min: 1, max: 99 }),
    children: fc.integer({ min: 0, max: 99 }),
    infants: fc.integer({ min: 0, max: 99 }),
    pets: fc.integer({ min: 0, max: 99 }),
  });

/** A stay that the service takes in when it is `today` at the property. */
export const staysFrom = (today: DayNumber): fc.Arbitrary<Stay> =>
  fc
    .record({ ahead: fc.integer({ min: 0, max: 730 }), nights: fc.integer({ min: 1, max: 90 }) })
    .map(({ ahead, nights }) => ({ checkIn: today + ahead, checkOut: today + ahead + nights }));

/** A promotion that nothing but its currency could keep from any stay. */
export const promotions = (): fc.Arbitrary<Promotion> => {
  const members = {
    code: fc.stringMatching(/^[A-Z0-9]{4,10}$/),
    label: labels(),
    stayFrom: fc.constant(null),
    stayTo: fc.constant(null),
    bookFrom: fc.constant(null),
    bookTo: fc.constant(null),
    listingIds: fc.constant(null),
    collectionIds: fc.constant(null),
    minNights: fc.constant(1),
    maxUses: fc.constant(null),
  };
  return fc.oneof(
    fc.record({ ...members, kind: fc.constant('percent'), off: shares() }),
    fc.record({
      ...members,
      kind: fc.constant('amount'),
      off: amounts(),
      currency: fc.constantFrom(...CURRENCIES),
    }),
  );
};

/** All that a price is asked for with. */
export interface PriceQuestion {
  listing: Pick<Listing, 'rates'>;
  stay: Stay;
  party: Party;
  today: DayNumber;
  promotion: Promotion | null;
}

/** A question for a price that has an answer. */
export const priceQuestions = (): fc.Arbitrary<PriceQuestion> =>
  todays().chain((today) =>
    fc.record({
      listing: fc.record({ rates: rateCards() }),
      stay: staysFrom(today),
      party: parties(),
      today: fc.constant(today),
      promotion: fc.option(promotions(), { nil: null }),
    }),
  );
