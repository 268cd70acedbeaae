/** Converts a home to the rows of its tables, and back. */

import { weekdays } from '../../contract/weekdays.ts';
import {
  dateText,
  dayNumber,
  type Fee,
  type Listing,
  type Season,
  type Tax,
} from '../../pricing/index.ts';

/** A home with everything except its place in catalogs. */
export type Home = Omit<Listing, 'collectionId'>;

/** A home to write; without an ID it gets a new one. */
export type WrittenHome = Omit<Home, 'listingId'> & { listingId: string | null };

type Prices = Listing['rates']['weekdays'];

/** Members of an entry of the file that have no column. */
type Members = Record<string, unknown>;

/** Monday to Sunday. */
type WeekdayPrices = (number | null)[];

export interface ListingRow {
  listing_id: string;
  slug: string;
  name: string;
  description: string | null;
  blurb: string | null;
  time_zone: string | null;
  destination: string | null;
  sleeps: number | null;
  bedrooms: number | null;
  bathrooms: number | null;
  check_in_from: string | null;
  check_out_until: string | null;
  images: Listing['images'];
  amenities: string[];
  policies: Listing['policies'];
  spaces: Listing['spaces'];
  latitude: number | null;
  longitude: number | null;
  indexable: boolean;
  currency: string;
  nightly: number | null;
  weekday_prices: WeekdayPrices;
  due_now_percent: number;
  balance_days_before: number;
  min_nights: number;
  max_nights: number;
  arrival_days: Listing['stayRules']['arrivalDays'];
  departure_days: Listing['stayRules']['departureDays'];
  advance_notice_days: number;
  booking_horizon_days: number;
  children_welcome: boolean;
  infants_welcome: boolean;
  max_pets: number;
}

export interface SeasonRow {
  name: string;
  first_night: string;
  last_night: string;
  change_percent: number | null;
  nightly: number | null;
  weekday_prices: WeekdayPrices | null;
  min_nights: number | null;
  arrival_days: Season['arrivalDays'] | null;
  priority: number | null;
  members: Members | null;
}

export interface DatedRateRow {
  /** First night. */
  from: string;
  /** The day after the last night. */
  until: string;
  nightly: number | null;
  min_nights: number | null;
  arrival_days: Season['arrivalDays'] | null;
  members: Members | null;
}

export interface LengthDiscountRow {
  min_nights: number;
  label: string;
  percent: number | null;
  amount: number | null;
}

export interface FeeRow {
  label: string;
  kind: Fee['kind'];
  per: string | null;
  amount: number | null;
  from_guest: number | null;
  taxed: boolean | null;
  members: Members | null;
}

export interface TaxRow {
  label: string;
  taxed_parts: string[] | null;
  percent: number | null;
  per: string | null;
  amount: number | null;
  adults_only: boolean | null;
  max_nights: number | null;
  stays_up_to_nights: number | null;
  members: Members | null;
}

export interface CancellationRuleRow {
  days_before: number;
  refund_percent: number;
}

/** The rows of a home in the tables of its rules, in the order of their places. */
export interface RuleRows {
  seasons: SeasonRow[];
  dated_rates: DatedRateRow[];
  length_discounts: LengthDiscountRow[];
  fees: FeeRow[];
  taxes: TaxRow[];
  cancellation_rules: CancellationRuleRow[];
}

/** Members without a column; null: there are none. */
function membersRow(members: object): Members | null {
  const stated = Object.entries(members).filter(([, value]) => value !== undefined);
  return stated.length === 0 ? null : Object.fromEntries(stated);
}

/** A member that a file may leave out; null in the database. */
const optional = <Name extends string, T>(name: Name, value: T | null): { [N in Name]?: T } =>
  (value === null ? {} : { [name]: value }) as { [N in Name]?: T };

const pricesOf = (row: WeekdayPrices): Prices =>
  Object.fromEntries(
    weekdays.flatMap((day, at) => (row[at] == null ? [] : [[day, Number(row[at])]])),
  ) as Prices;

const weekdayRow = (prices: Prices): WeekdayPrices => weekdays.map((day) => prices[day] ?? null);

const seasonOf = (row: SeasonRow): Season => ({
  name: row.name,
  from: row.first_night,
  to: row.last_night,
  ...optional('changePercent', row.change_percent),
  ...optional('nightly', row.nightly),
  ...optional('weekdays', row.weekday_prices && pricesOf(row.weekday_prices)),
  ...optional('minNights', row.min_nights),
  ...optional('arrivalDays', row.arrival_days ?? null),
  ...optional('priority', row.priority),
  ...row.members,
});

function seasonRow(season: Season): SeasonRow {
  const { name, from, to, changePercent, nightly, weekdays: prices, ...rules } = season;
  const { minNights, arrivalDays, priority, ...members } = rules;
  return {
    name,
    first_night: from,
    last_night: to,
    change_percent: changePercent ?? null,
    nightly: nightly ?? null,
    weekday_prices: prices ? weekdayRow(prices) : null,
    min_nights: minNights ?? null,
    arrival_days: arrivalDays ?? null,
    priority: priority ?? null,
    members: membersRow(members),
  };
}

type DatedRate = Listing['rates']['dates'][number];

const datedRateOf = (row: DatedRateRow): DatedRate => ({
  from: row.from,
  to: dateText(dayNumber(row.until) - 1),
  ...optional('nightly', row.nightly),
  ...optional('minNights', row.min_nights),
  ...optional('arrivalDays', row.arrival_days ?? null),
  ...row.members,
});

const datedRateRow = ({
  from,
  to,
  nightly,
  minNights,
  arrivalDays,
  ...members
}: DatedRate): DatedRateRow => ({
  from,
  until: dateText(dayNumber(to) + 1),
  nightly: nightly ?? null,
  min_nights: minNights ?? null,
  arrival_days: arrivalDays ?? null,
  members: membersRow(members),
});

type LengthDiscount = Listing['rates']['lengthDiscounts'][number];

const lengthDiscountOf = (row: LengthDiscountRow): LengthDiscount => ({
  label: row.label,
  minNights: row.min_nights,
  ...optional('percent', row.percent),
  ...optional('amount', row.amount),
});

const lengthDiscountRow = (discount: LengthDiscount): LengthDiscountRow => ({
  min_nights: discount.minNights,
  label: discount.label,
  percent: discount.percent ?? null,
  amount: discount.amount ?? null,
});

const feeOf = (row: FeeRow): Fee =>
  ({
    label: row.label,
    kind: row.kind,
    ...optional('per', row.per),
    ...optional('amount', row.amount),
    ...optional('fromGuest', row.from_guest),
    ...optional('taxed', row.taxed),
    ...row.members,
  }) as Fee;

const feeRow = ({ label, kind, per, amount, fromGuest, taxed, ...members }: Fee): FeeRow => ({
  label,
  kind,
  per: per ?? null,
  amount: amount ?? null,
  from_guest: fromGuest ?? null,
  taxed: taxed ?? null,
  members: membersRow(members),
});

const taxOf = (row: TaxRow): Tax =>
  ({
    label: row.label,
    ...optional('on', row.taxed_parts),
    ...optional('percent', row.percent),
    ...optional('per', row.per),
    ...optional('amount', row.amount),
    ...optional('adultsOnly', row.adults_only),
    ...optional('maxNights', row.max_nights),
    ...optional('staysUpToNights', row.stays_up_to_nights),
    ...row.members,
  }) as Tax;

function taxRow(tax: Tax): TaxRow {
  const { label, on, percent, per, amount, adultsOnly, maxNights, staysUpToNights, ...members } =
    tax;
  return {
    label,
    taxed_parts: on ?? null,
    percent: percent ?? null,
    per: per ?? null,
    amount: amount ?? null,
    adults_only: adultsOnly ?? null,
    max_nights: maxNights ?? null,
    stays_up_to_nights: staysUpToNights ?? null,
    members: membersRow(members),
  };
}

/** What a home has besides its columns, as it is stored in `listing_members`. */
export interface HomeMembers extends Partial<FurtherMembers> {
  payment?: Home['payment'];
  stayRules?: Partial<Home['stayRules']>;
  discounts?: Home['rates']['discounts'];
  cancellation?: Home['cancellation'];
}

const furtherMembers = [
  'propertyType',
  'registration',
  'address',
  'arrivalInstructions',
  'securityDeposit',
  'cancellationGrace',
  'cancellationAlwaysRefunds',
  'cancellationText',
] as const satisfies (keyof Home)[];

type FurtherMembers = Pick<Home, (typeof furtherMembers)[number]>;

const columnDecimals = 2;

/** Whether the columns of `listings` can hold a plan. */
const isPlainPlan = (
  plan: Home['payment'],
): plan is Extract<Home['payment'], { dueNowPercent: number }> =>
  plan.schedule === undefined &&
  Number(plan.dueNowPercent.toFixed(columnDecimals)) === plan.dueNowPercent;

const defaultPlan = { dueNowPercent: 100, balanceDaysBefore: 0 };

const plainPlan = (plan: Home['payment']) => (isPlainPlan(plan) ? plan : defaultPlan);

const isShortForm = (rule: Home['cancellation'][number]): rule is ShortRule =>
  'refundPercent' in rule;
type ShortRule = Extract<Home['cancellation'][number], { refundPercent: number }>;

/** What a home has besides its columns; null: nothing. */
export function homeMembers(home: WrittenHome): HomeMembers | null {
  const { preparationNights, gapMinNights, advanceNotice } = home.stayRules;
  const stayRules = membersRow({
    preparationNights: preparationNights || undefined,
    gapMinNights,
    advanceNotice,
  });
  return membersRow({
    ...Object.fromEntries(furtherMembers.map((name) => [name, home[name] ?? undefined])),
    ...(!isPlainPlan(home.payment) && { payment: home.payment }),
    ...(stayRules && { stayRules }),
    ...(home.rates.discounts?.length && { discounts: home.rates.discounts }),
    ...(!home.cancellation.every(isShortForm) && { cancellation: home.cancellation }),
  }) as HomeMembers | null;
}

function stayRulesOf(row: ListingRow, { stayRules }: HomeMembers): Home['stayRules'] {
  return {
    minNights: row.min_nights,
    maxNights: row.max_nights,
    arrivalDays: row.arrival_days,
    departureDays: row.departure_days,
    ...(stayRules?.advanceNotice ? {} : { advanceNoticeDays: row.advance_notice_days }),
    bookingHorizonDays: row.booking_horizon_days,
    ...stayRules,
  };
}

/** Builds a home of its rows. */
export function homeOf(row: ListingRow, rules: RuleRows, members: HomeMembers = {}): Home {
  const { payment, stayRules: _, discounts, cancellation, ...further } = members;
  return {
    listingId: row.listing_id,
    slug: row.slug,
    name: row.name,
    description: row.description,
    blurb: row.blurb,
    timeZone: row.time_zone,
    destination: row.destination,
    sleeps: row.sleeps,
    bedrooms: row.bedrooms,
    bathrooms: row.bathrooms,
    checkInFrom: row.check_in_from,
    checkOutUntil: row.check_out_until,
    images: row.images,
    amenities: row.amenities,
    policies: row.policies,
    spaces: row.spaces,
    geo:
      row.latitude === null || row.longitude === null
        ? null
        : { latitude: row.latitude, longitude: row.longitude },
    indexable: row.indexable,
    currency: row.currency,
    rates: {
      weekdays: pricesOf(row.weekday_prices),
      seasons: rules.seasons.map(seasonOf),
      dates: rules.dated_rates.map(datedRateOf),
      lengthDiscounts: rules.length_discounts.map(lengthDiscountOf),
      ...optional('discounts', discounts ?? null),
      ...optional('nightly', row.nightly),
    },
    fees: rules.fees.map(feeOf),
    taxes: rules.taxes.map(taxOf),
    payment: payment ?? {
      dueNowPercent: row.due_now_percent,
      balanceDaysBefore: row.balance_days_before,
    },
    stayRules: stayRulesOf(row, members),
    party: {
      children: row.children_welcome,
      infants: row.infants_welcome,
      maxPets: row.max_pets,
    },
    cancellation:
      cancellation ??
      rules.cancellation_rules.map((rule) => ({
        daysBefore: rule.days_before,
        refundPercent: rule.refund_percent,
      })),
    ...further,
  };
}

/** The row of a home in `listings`; its ID can be null. */
export const listingRow = (
  home: WrittenHome,
): Omit<ListingRow, 'listing_id'> & { listing_id: string | null } => ({
  listing_id: home.listingId,
  slug: home.slug,
  name: home.name,
  description: home.description,
  blurb: home.blurb,
  time_zone: home.timeZone,
  destination: home.destination,
  sleeps: home.sleeps,
  bedrooms: home.bedrooms,
  bathrooms: home.bathrooms,
  check_in_from: home.checkInFrom,
  check_out_until: home.checkOutUntil,
  images: home.images,
  amenities: home.amenities,
  policies: home.policies,
  spaces: home.spaces,
  latitude: home.geo?.latitude ?? null,
  longitude: home.geo?.longitude ?? null,
  indexable: home.indexable,
  currency: home.currency,
  nightly: home.rates.nightly ?? null,
  weekday_prices: weekdayRow(home.rates.weekdays),
  due_now_percent: plainPlan(home.payment).dueNowPercent,
  balance_days_before: plainPlan(home.payment).balanceDaysBefore,
  min_nights: home.stayRules.minNights,
  max_nights: home.stayRules.maxNights,
  arrival_days: home.stayRules.arrivalDays,
  departure_days: home.stayRules.departureDays,
  advance_notice_days: home.stayRules.advanceNoticeDays ?? home.stayRules.advanceNotice?.days ?? 0,
  booking_horizon_days: home.stayRules.bookingHorizonDays,
  children_welcome: home.party.children,
  infants_welcome: home.party.infants,
  max_pets: home.party.maxPets,
});

/** The rows of a home in the tables of its rules. */
export const ruleRows = ({ rates, fees, taxes, cancellation }: WrittenHome): RuleRows => ({
  seasons: rates.seasons.map(seasonRow),
  dated_rates: rates.dates.map(datedRateRow),
  length_discounts: rates.lengthDiscounts.map(lengthDiscountRow),
  fees: fees.map(feeRow),
  taxes: taxes.map(taxRow),
  cancellation_rules: cancellation.every(isShortForm)
    ? cancellation.map((rule) => ({
        days_before: rule.daysBefore,
        refund_percent: rule.refundPercent,
      }))
    : [],
});
