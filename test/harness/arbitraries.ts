/**
 * Generators of domain values for property tests: listings that an operator could well keep, with
 * awkward amounts, and the stays, parties and promotions that meet them.
 */

import * as fc from 'fast-check';
import { weekdays } from '../../src/contract/weekdays.ts';
import { dateText, dayNumber } from '../../src/pricing/rules/calendar-date.ts';
import type {
  CancellationRule,
  DatedRate,
  DayNumber,
  Fee,
  LengthDiscount,
  Listing,
  Minor,
  Party,
  PartyRules,
  PaymentPlan,
  Percent,
  Policy,
  PricedListing,
  Rates,
  Season,
  Stay,
  StayRules,
  Tax,
  WeekdayName,
} from '../../src/pricing/rules/listing.ts';
import type { Promotion } from '../../src/pricing/rules/promotion.ts';

const CURRENCIES = ['USD', 'EUR', 'JPY', 'CLP'];
const TAX_UNITS = ['stay', 'night', 'guest', 'guest_night'] as const;
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

/** A percentage from nothing to all, with four decimals. */
const percents = (min = 0, max = 100): fc.Arbitrary<Percent> =>
  fc.integer({ min: min * 10_000, max: max * 10_000 }).map((points) => points / 10_000);

/** An amount of zero or more, small ones as likely as large. */
export const amounts = (max: Minor = 5_000_000): fc.Arbitrary<Minor> =>
  fc.oneof(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max }));

const labels = (): fc.Arbitrary<string> => fc.string({ minLength: 1, maxLength: 12 });

const monthDays = (): fc.Arbitrary<string> =>
  fc.integer({ min: 0, max: 365 }).map((offset) => dateText(LEAP_YEAR_BEGINS + offset).slice(5));

const weekdayNames = (): fc.Arbitrary<WeekdayName[]> =>
  fc.oneof(fc.constant<WeekdayName[]>([...weekdays]), fc.subarray([...weekdays], { minLength: 1 }));

const weekdayPrices = (): fc.Arbitrary<Rates['weekdays']> =>
  fc.dictionary(fc.constantFrom(...weekdays), amounts());

/** A member that may be absent. */
const maybe = <K extends string, V>(
  name: K,
  value: fc.Arbitrary<V>,
): fc.Arbitrary<Partial<Record<K, V>>> =>
  fc
    .option(value, { nil: undefined })
    .map((given) => (given === undefined ? {} : ({ [name]: given } as Partial<Record<K, V>>)));

/** Two days, the later second, up to `most` days apart. */
const spans = (most: number): fc.Arbitrary<{ from: string; to: string }> =>
  fc
    .record({ first: todays(), days: fc.integer({ min: 0, max: most }) })
    .map(({ first, days }) => ({ from: dateText(first), to: dateText(first + days) }));

/** A season of any year or of one, with a change, with prices, or with rules alone. */
const seasons = (): fc.Arbitrary<Season> =>
  fc
    .tuple(
      fc.oneof(fc.record({ from: monthDays(), to: monthDays() }), spans(400)),
      fc.oneof(
        maybe('changePercent', percents(-100, 200)),
        fc
          .tuple(maybe('nightly', amounts()), maybe('weekdays', weekdayPrices()))
          .map(([nightly, prices]) => ({ ...nightly, ...prices })),
      ),
      maybe('minNights', fc.integer({ min: 1, max: 14 })),
      maybe('arrivalDays', weekdayNames()),
      maybe('priority', fc.integer({ min: -2, max: 5 })),
    )
    .map(([dates, ...rest]) => Object.assign({ name: 'Season', ...dates }, ...rest) as Season);

/** Entries of `dates` that do not overlap, in any order. */
const datedRates = (): fc.Arbitrary<DatedRate[]> =>
  fc
    .array(
      fc
        .tuple(
          spans(20),
          maybe('nightly', amounts()),
          maybe('minNights', fc.integer({ min: 1, max: 14 })),
          maybe('arrivalDays', weekdayNames()),
        )
        .map((parts) => Object.assign({}, ...parts) as DatedRate),
      { maxLength: 5 },
    )
    .map((entries) =>
      entries.filter(
        ({ from, to }, at) =>
          !entries.slice(0, at).some((other) => from <= other.to && other.from <= to),
      ),
    );

/** A discount for long stays. */
const lengthDiscounts = (): fc.Arbitrary<LengthDiscount> =>
  fc.record({ label: labels(), minNights: fc.integer({ min: 1, max: 60 }), percent: percents() });

/** A fee of any kind and unit. */
const fees = (): fc.Arbitrary<Fee> =>
  fc
    .tuple(
      fc.record({
        label: labels(),
        kind: fc.constantFrom('cleaning', 'fee'),
        per: fc.constantFrom(...FEE_UNITS),
        amount: amounts(50_000),
      }),
      maybe('fromGuest', fc.integer({ min: 1, max: 8 })),
      maybe('taxed', fc.boolean()),
    )
    .map(([fee, ...rest]) => Object.assign(fee, ...rest) as Fee);

/** A tax, a percentage or an amount. */
const taxes = (): fc.Arbitrary<Tax> =>
  fc
    .tuple(
      fc.oneof(
        fc.record({
          label: labels(),
          on: fc.subarray(['accommodation', 'cleaning', 'fees'], { minLength: 1 }),
          percent: percents(0, 30),
        }),
        fc
          .tuple(
            fc.record({
              label: labels(),
              per: fc.constantFrom(...TAX_UNITS),
              amount: amounts(1_000),
            }),
            maybe('adultsOnly', fc.boolean()),
            maybe('maxNights', fc.integer({ min: 1, max: 20 })),
          )
          .map(([tax, ...rest]) => Object.assign(tax, ...rest) as Tax),
      ),
      maybe('staysUpToNights', fc.integer({ min: 1, max: 60 })),
    )
    .map(([tax, rest]) => Object.assign(tax, rest) as Tax);

/** A plan from all later to all now. */
const paymentPlans = (): fc.Arbitrary<PaymentPlan> =>
  fc.record({
    dueNowPercent: fc.oneof(fc.constantFrom(0, 50, 100), percents()),
    balanceDaysBefore: fc.integer({ min: 0, max: 120 }),
  });

/** What nights cost; every night has a price. */
const rates = (): fc.Arbitrary<Rates> =>
  fc.record({
    nightly: amounts(),
    weekdays: weekdayPrices(),
    seasons: fc.array(seasons(), { maxLength: 4 }),
    dates: datedRates(),
    lengthDiscounts: fc.array(lengthDiscounts(), { maxLength: 3 }),
  });

/** Everything that a price is made of. */
const pricedListings = (): fc.Arbitrary<PricedListing> =>
  fc.record({
    currency: fc.constantFrom(...CURRENCIES),
    rates: rates(),
    fees: fc.array(fees(), { maxLength: 5 }),
    taxes: fc.array(taxes(), { maxLength: 3 }),
    payment: paymentPlans(),
  });

/** Rules on who may stay. */
const partyRules = (): fc.Arbitrary<PartyRules> =>
  fc.record({
    children: fc.boolean(),
    infants: fc.boolean(),
    maxPets: fc.integer({ min: 0, max: 3 }),
  });

/** Rules on when a stay may begin and end; the least stay is never above the longest. */
const stayRules = (): fc.Arbitrary<StayRules> =>
  fc.integer({ min: 1, max: 90 }).chain((maxNights) =>
    fc.record({
      minNights: fc.integer({ min: 1, max: maxNights }),
      maxNights: fc.constant(maxNights),
      arrivalDays: weekdayNames(),
      departureDays: weekdayNames(),
      advanceNoticeDays: fc.integer({ min: 0, max: 14 }),
      bookingHorizonDays: fc.integer({ min: 0, max: 1_000 }),
    }),
  );

/** Rules on what is refunded, in any order. */
export const cancellationRules = (): fc.Arbitrary<CancellationRule[]> =>
  fc.uniqueArray(
    fc.record({ daysBefore: fc.integer({ min: 0, max: 120 }), refundPercent: percents() }),
    { maxLength: 4, selector: ({ daysBefore }) => daysBefore },
  );

const policies = (): fc.Arbitrary<Policy[]> =>
  fc.array(fc.record({ label: labels(), body: fc.string() }), { maxLength: 3 });

const times = (): fc.Arbitrary<string | null> =>
  fc.option(fc.constantFrom('11:00', '16:30'), { nil: null });

// Made once, because making them takes longer than everything else in a query.
const slugs = fc.stringMatching(/^[a-z]{3,8}(-[a-z]{3,8})?$/);
const promotionCodes = fc.stringMatching(/^[A-Z0-9]{4,10}$/);

/** What partners read of a listing, null wherever it may be. */
const contents = () =>
  fc.record({
    listingId: fc.uuid(),
    slug: slugs,
    name: labels(),
    description: fc.option(fc.string(), { nil: null }),
    blurb: fc.option(fc.string(), { nil: null }),
    collectionId: fc.option(fc.uuid(), { nil: null }),
    timeZone: timeZones(),
    destination: fc.option(labels(), { nil: null }),
    sleeps: fc.option(fc.integer({ min: 1, max: 16 }), { nil: null }),
    bedrooms: fc.option(fc.integer({ min: 0, max: 8 }), { nil: null }),
    bathrooms: fc.option(fc.constantFrom(0, 1, 1.5, 2, 3.5), { nil: null }),
    checkInFrom: times(),
    checkOutUntil: times(),
    images: fc.array(fc.record({ file: fc.constant('pictures/1.svg'), alt: labels() }), {
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
    party: partyRules(),
    stayRules: stayRules(),
    cancellation: cancellationRules(),
  });

/** A listing with rules of every kind. */
export const listings = (): fc.Arbitrary<Listing> =>
  fc.tuple(contents(), pricedListings()).map(([content, prices]) => ({ ...content, ...prices }));

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
    code: promotionCodes,
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
    fc.record({
      ...members,
      kind: fc.constant('percent'),
      percent: fc.integer({ min: 0, max: 1_000_000 }).map((millionths) => millionths / 10_000),
    }),
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
  listing: PricedListing;
  stay: Stay;
  party: Party;
  today: DayNumber;
  promotion: Promotion | null;
}

/** A price question that has a price. */
export const priceQuestions = (): fc.Arbitrary<PriceQuestion> =>
  todays().chain((today) =>
    fc.record({
      listing: pricedListings(),
      stay: staysFrom(today),
      party: parties(),
      today: fc.constant(today),
      promotion: fc.option(promotions(), { nil: null }),
    }),
  );
