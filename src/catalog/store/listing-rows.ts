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

/** Monday to Sunday. */
type WeekdayPrices = (number | null)[];

/** The columns of `listings` that hold a member of a home as it is. */
const homeColumns = {
  slug: 'slug',
  name: 'name',
  description: 'description',
  blurb: 'blurb',
  timeZone: 'time_zone',
  destination: 'destination',
  sleeps: 'sleeps',
  bedrooms: 'bedrooms',
  bathrooms: 'bathrooms',
  checkInFrom: 'check_in_from',
  checkOutUntil: 'check_out_until',
  images: 'images',
  amenities: 'amenities',
  policies: 'policies',
  spaces: 'spaces',
} as const satisfies Partial<Record<keyof Home, string>>;

/** Those that follow its place: an export keeps the order of the members. */
const saleColumns = {
  indexable: 'indexable',
  currency: 'currency',
} as const satisfies Partial<Record<keyof Home, string>>;

/** Those that hold its rules of stays. */
const stayColumns = {
  minNights: 'min_nights',
  maxNights: 'max_nights',
  arrivalDays: 'arrival_days',
  departureDays: 'departure_days',
} as const satisfies Partial<Record<keyof Home['stayRules'], string>>;

/** Those that hold who may stay. */
const partyColumns = {
  children: 'children_welcome',
  infants: 'infants_welcome',
  maxPets: 'max_pets',
} as const satisfies Record<keyof Home['party'], string>;

/** The columns of a home besides. */
interface OtherColumns {
  latitude: number | null;
  longitude: number | null;
  nightly: number | null;
  weekday_prices: WeekdayPrices;
  due_now_percent: number;
  balance_days_before: number;
  advance_notice_days: number;
  booking_horizon_days: number;
}

/** The columns that a home is written to. */
export const listingColumns = [
  ...Object.values(homeColumns),
  ...Object.values(saleColumns),
  ...Object.values(stayColumns),
  ...Object.values(partyColumns),
  ...([
    'latitude',
    'longitude',
    'nightly',
    'weekday_prices',
    'due_now_percent',
    'balance_days_before',
    'advance_notice_days',
    'booking_horizon_days',
  ] as const satisfies (keyof OtherColumns)[]),
];

/** A row of `listings`, as it is read. */
export interface ListingRow extends OtherColumns {
  listing_id: string;
}

const pricesOf = (row: WeekdayPrices): Prices =>
  Object.fromEntries(
    weekdays.flatMap((day, at) => (row[at] == null ? [] : [[day, Number(row[at])]])),
  ) as Prices;

const weekdayRow = (prices: Prices): WeekdayPrices => weekdays.map((day) => prices[day] ?? null);

/** The columns of a table by the members that they hold. */
type Columns = Readonly<Record<string, string>>;
type Row = Record<string, unknown>;

/** The members that columns hold. */
const membersIn = (columns: Columns, row: object): Row => {
  const members: Row = {};
  for (const member in columns) members[member] = (row as Row)[columns[member]!];
  return members;
};

/** The columns that hold members; null: it is left out. */
const columnsIn = (columns: Columns, members: object): Row => {
  const row: Row = {};
  for (const member in columns) row[columns[member]!] = (members as Row)[member] ?? null;
  return row;
};

/** The columns of the tables of rules by the members of an entry of the file. Further members are in `members`. */
const ruleColumns = {
  seasons: {
    name: 'name',
    from: 'first_night',
    to: 'last_night',
    changePercent: 'change_percent',
    nightly: 'nightly',
    weekdays: 'weekday_prices',
    minNights: 'min_nights',
    arrivalDays: 'arrival_days',
    priority: 'priority',
  },
  dated_rates: {
    from: 'from',
    // The day after the last night.
    to: 'until',
    nightly: 'nightly',
    minNights: 'min_nights',
    arrivalDays: 'arrival_days',
  },
  length_discounts: {
    label: 'label',
    minNights: 'min_nights',
    percent: 'percent',
    amount: 'amount',
  },
  fees: {
    label: 'label',
    kind: 'kind',
    per: 'per',
    amount: 'amount',
    fromGuest: 'from_guest',
    taxed: 'taxed',
  },
  taxes: {
    label: 'label',
    on: 'taxed_parts',
    percent: 'percent',
    per: 'per',
    amount: 'amount',
    adultsOnly: 'adults_only',
    maxNights: 'max_nights',
    staysUpToNights: 'stays_up_to_nights',
  },
  cancellation_rules: { daysBefore: 'days_before', refundPercent: 'refund_percent' },
} as const satisfies Record<string, Columns>;

type RuleTable = keyof typeof ruleColumns;

/** A row of a table of rules. */
type RuleRow<Table extends RuleTable> = Record<
  (typeof ruleColumns)[Table][keyof (typeof ruleColumns)[Table]] & string,
  unknown
> & { members?: Row | null };

/** The rows of a home in the tables of its rules, in the order of their places. */
export type RuleRows = { [Table in RuleTable]: RuleRow<Table>[] };

/** Members without a column; null: there are none. */
function membersRow(members: object): Row | null {
  const stated = Object.entries(members).filter(([, value]) => value !== undefined);
  return stated.length === 0 ? null : Object.fromEntries(stated);
}

/** An entry of the file, without the members that it has left out. */
function entryOf<Entry>(table: RuleTable, row: Row): Entry {
  const columns: Columns = ruleColumns[table];
  const entry: Row = {};
  for (const member in columns) {
    const value = row[columns[member]!];
    if (value !== null && value !== undefined) entry[member] = value;
  }
  return Object.assign(entry, row['members']) as Entry;
}

function rowOf<Table extends RuleTable>(table: Table, entry: object): RuleRow<Table> {
  const columns: Columns = ruleColumns[table];
  const further = Object.entries(entry).filter(([member]) => !(member in columns));
  const members = membersRow(Object.fromEntries(further));
  return Object.assign(columnsIn(columns, entry), { members }) as RuleRow<Table>;
}

const seasonOf = (row: RuleRow<'seasons'>): Season =>
  entryOf('seasons', {
    ...row,
    weekday_prices: row.weekday_prices && pricesOf(row.weekday_prices as WeekdayPrices),
  });

const seasonRow = (season: Season): RuleRow<'seasons'> =>
  rowOf('seasons', { ...season, weekdays: season.weekdays && weekdayRow(season.weekdays) });

type DatedRate = Listing['rates']['dates'][number];

const datedRateOf = (row: RuleRow<'dated_rates'>): DatedRate =>
  entryOf('dated_rates', { ...row, until: dateText(dayNumber(row.until as string) - 1) });

const datedRateRow = (rate: DatedRate): RuleRow<'dated_rates'> =>
  rowOf('dated_rates', { ...rate, to: dateText(dayNumber(rate.to) + 1) });

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

/** Builds a home of its rows. */
export function homeOf(row: ListingRow, rules: RuleRows, members: HomeMembers = {}): Home {
  const { payment, stayRules, discounts, cancellation, ...further } = members;
  const { latitude, longitude, nightly, advance_notice_days: advanceNoticeDays } = row;
  return {
    listingId: row.listing_id,
    ...membersIn(homeColumns, row),
    geo: latitude === null || longitude === null ? null : { latitude, longitude },
    ...membersIn(saleColumns, row),
    rates: {
      weekdays: pricesOf(row.weekday_prices),
      seasons: rules.seasons.map(seasonOf),
      dates: rules.dated_rates.map(datedRateOf),
      lengthDiscounts: rules.length_discounts.map((one) => entryOf('length_discounts', one)),
      ...(discounts && { discounts }),
      ...(nightly !== null && { nightly }),
    },
    fees: rules.fees.map((fee) => entryOf<Fee>('fees', fee)),
    taxes: rules.taxes.map((tax) => entryOf<Tax>('taxes', tax)),
    payment: payment ?? {
      dueNowPercent: row.due_now_percent,
      balanceDaysBefore: row.balance_days_before,
    },
    stayRules: {
      ...membersIn(stayColumns, row),
      ...(stayRules?.advanceNotice ? {} : { advanceNoticeDays }),
      bookingHorizonDays: row.booking_horizon_days,
      ...stayRules,
    },
    party: membersIn(partyColumns, row),
    cancellation:
      cancellation ?? rules.cancellation_rules.map((rule) => entryOf('cancellation_rules', rule)),
    ...further,
  } as Home;
}

const otherColumns = ({ geo, rates, payment, stayRules }: WrittenHome): OtherColumns => {
  const { dueNowPercent, balanceDaysBefore } = plainPlan(payment);
  return {
    latitude: geo?.latitude ?? null,
    longitude: geo?.longitude ?? null,
    nightly: rates.nightly ?? null,
    weekday_prices: weekdayRow(rates.weekdays),
    due_now_percent: dueNowPercent,
    balance_days_before: balanceDaysBefore,
    advance_notice_days: stayRules.advanceNoticeDays ?? stayRules.advanceNotice?.days ?? 0,
    booking_horizon_days: stayRules.bookingHorizonDays,
  };
};

/** The row of a home in `listings`; its ID can be null. */
export const listingRow = (home: WrittenHome): Row => ({
  listing_id: home.listingId,
  ...columnsIn(homeColumns, home),
  ...columnsIn(saleColumns, home),
  ...columnsIn(stayColumns, home.stayRules),
  ...columnsIn(partyColumns, home.party),
  ...otherColumns(home),
});

/** The rows of a home in the tables of its rules. */
export const ruleRows = ({ rates, fees, taxes, cancellation }: WrittenHome): RuleRows => ({
  seasons: rates.seasons.map(seasonRow),
  dated_rates: rates.dates.map(datedRateRow),
  length_discounts: rates.lengthDiscounts.map((one) => rowOf('length_discounts', one)),
  fees: fees.map((fee) => rowOf('fees', fee)),
  taxes: taxes.map((tax) => rowOf('taxes', tax)),
  cancellation_rules: cancellation.every(isShortForm)
    ? cancellation.map((rule) => rowOf('cancellation_rules', rule))
    : [],
});
