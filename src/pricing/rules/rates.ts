/** Prices and arrival rules of one day, from a listing's rates. */

import { weekdays } from '../../contract/weekdays.ts';
import { dateDigits, weekdayOf } from './calendar-date.ts';
import type {
  DatedRate,
  DayNumber,
  Listing,
  Minor,
  Percent,
  Rates,
  Season,
  Stay,
  WeekdayName,
} from './listing.ts';
import { changedBy, changedOrNull, exact, type Step, stepOf } from './money.ts';

/** A day with its date as the number YYYYMMDD and its place in a week: numbers are compared faster than texts. */
export interface DatedDay {
  day: DayNumber;
  date: number;
  /** The same without the year, MMDD. */
  yearDay: number;
  /** 0: Monday. */
  weekday: number;
}

const dayOfYear = (date: number): number => date % 10_000;

/** The day with its date. */
export function datedDay(day: DayNumber): DatedDay {
  const date = dateDigits(day);
  return { day, date, yearDay: dayOfYear(date), weekday: weekdayOf(day) - 1 };
}

/** The part of a listing that prices its nights. */
export type PricedNights = Pick<Listing, 'rates' | 'currency'>;

/** Dates from the first to the last: YYYYMMDD, or MMDD of every year. */
interface Period {
  from: number;
  to: number;
  isYearly: boolean;
}

/**
 * The price of each day of a week; null: no rule gives one, or it is not a safe integer. Undefined: the layer states
 * none, so the next one decides.
 */
type WeekPrices = readonly (Minor | null | undefined)[];

/** What a season states of one member. */
interface Stated<T> extends Period {
  value: T;
}

/** The rules that the layers over a listing may state, each looked up by itself. */
interface LayerRules {
  minNights: number;
  maxNights: number;
  minNightsThrough: number;
  arrivalDays: readonly WeekdayName[];
  departureDays: readonly WeekdayName[];
}

/** What layers state of the rules for a day. */
export type DayRules = { readonly [Rule in keyof LayerRules]?: LayerRules[Rule] | undefined };

/** Rates, prepared to find the price and the rules of a day. */
interface RateTable {
  step: Step;
  /** Sorted by first night; they do not overlap. */
  dates: readonly (Period & { rate: DatedRate })[];
  /** The seasons that state prices, highest priority first. */
  seasons: readonly Stated<WeekPrices>[];
  /** The prices of nights without a more specific price. */
  prices: WeekPrices;
  /** The seasons that state a rule, highest priority first. */
  ruled: readonly Stated<DayRules>[];
  /** Whether any layer states a rule. */
  hasRules: boolean;
  /** Whether any layer states `minNightsThrough`. */
  hasNightsThrough: boolean;
  /** Whether any layer states `departureDays`. */
  hasDepartureDays: boolean;
  /** The day that was asked for last, and what the layers state for it. */
  lastDay: DayNumber;
  lastRules: DayRules;
}

/** The number of a date as a text, YYYY-MM-DD or MM-DD. */
const dateInFile = (text: string): number => Number(text.replaceAll('-', ''));

/** The days of a layer. Spec: STAY-13. */
const periodOf = ({ from, to }: Pick<Season, 'from' | 'to'>): Period => ({
  from: dateInFile(from),
  to: dateInFile(to),
  isYearly: from.length === 'MM-DD'.length,
});

const basePrice = (rates: Rates, weekday: WeekdayName): Minor | null =>
  rates.weekdays[weekday] ?? rates.nightly ?? null;

/** The price that a season states for a weekday; without a base price, a percentage of it gives none. */
function priceOfSeason(rates: Rates, step: Step, season: Season, weekday: WeekdayName) {
  const own = season.weekdays?.[weekday] ?? season.nightly;
  if (own !== undefined || season.changePercent === undefined) return own;
  const base = basePrice(rates, weekday);
  return base === null ? null : changedOrNull(base, season.changePercent, step);
}

const hasRule = ({
  minNights,
  maxNights,
  minNightsThrough: through,
  arrivalDays,
  departureDays,
}: DayRules): boolean =>
  (minNights ?? maxNights ?? through ?? arrivalDays ?? departureDays) !== undefined;

const byPriority = (a: Season, b: Season): number => (b.priority ?? 0) - (a.priority ?? 0);

const knownTables = new WeakMap<Rates, RateTable>();

/** The table of some rates, made once. Without `step`, that of any step: what is read does not depend on it. */
function tableOf(rates: Rates, step?: Step): RateTable {
  const known = knownTables.get(rates);
  if (known && (step === undefined || known.step === step)) return known;
  const made = madeTable(rates, step ?? 1);
  knownTables.set(rates, made);
  return made;
}

function madeTable(rates: Rates, step: Step): RateTable {
  const seasons = rates.seasons.toSorted(byPriority);
  const priced = seasons.map((season) => ({
    ...periodOf(season),
    value: weekdays.map((weekday) => priceOfSeason(rates, step, season, weekday)),
  }));
  const layers: DayRules[] = [...seasons, ...rates.dates];
  return {
    step,
    dates: rates.dates
      .map((rate) => ({ ...periodOf(rate), rate }))
      .toSorted((a, b) => a.from - b.from),
    seasons: priced.filter(({ value }) => value.some((price) => price !== undefined)),
    prices: weekdays.map((weekday) => basePrice(rates, weekday)),
    ruled: seasons.filter(hasRule).map((season) => ({ ...periodOf(season), value: season })),
    hasRules: layers.some(hasRule),
    hasNightsThrough: layers.some((layer) => layer.minNightsThrough !== undefined),
    hasDepartureDays: layers.some((layer) => layer.departureDays !== undefined),
    lastDay: Number.NaN,
    lastRules: noRules,
  };
}

/** The number of entries that begin on a date or earlier, by binary search. */
function countUpTo(dates: RateTable['dates'], date: number): number {
  let low = 0;
  let high = dates.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (dates[middle]!.from <= date) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Finds the entry that contains a date. */
function datedRateOn(dates: RateTable['dates'], date: number): DatedRate | undefined {
  const count = countUpTo(dates, date);
  // Reading the index -1 would be most of the time that a night takes.
  if (count === 0) return undefined;
  const last = dates[count - 1]!;
  return date <= last.to ? last.rate : undefined;
}

/** Makes the function that says whether a date, YYYYMMDD, is in a season. */
export function insideOf(season: Pick<Season, 'from' | 'to'>): (date: number) => boolean {
  const period = periodOf(season);
  return (date) => contains(period, date);
}

/** `yearDay`: the date without its year. */
function contains(
  { from, to, isYearly }: Period,
  date: number,
  yearDay: number = dayOfYear(date),
): boolean {
  const day = isYearly ? yearDay : date;
  return from <= to ? from <= day && day <= to : from <= day || day <= to;
}

/** The weekday of a day as the catalog file names it. */
export const weekdayName = (day: DayNumber): WeekdayName => weekdays[weekdayOf(day) - 1]!;

/** The listed price of a night: that of the first layer that states one. */
function listedPrice(
  { dates, seasons, prices }: RateTable,
  { date, yearDay, weekday }: DatedDay,
): Minor | null {
  const dated = datedRateOn(dates, date)?.nightly;
  if (dated !== undefined) return dated;
  // By index: `find` with a function takes several times as long.
  for (let at = 0; at < seasons.length; at += 1) {
    const season = seasons[at]!;
    if (!contains(season, date, yearDay)) continue;
    const price = season.value[weekday];
    if (price !== undefined) return price;
  }
  return prices[weekday]!;
}

/**
 * Makes the function that returns the price of a night; null: no rule prices it, or the price is not a safe
 * integer.
 *
 * `adjustmentPercent` is the application's channel adjustment.
 *
 * Spec: PRICE-3, PRICE-4.
 */
export function nightPrices(
  { rates, currency }: PricedNights,
  adjustmentPercent: Percent,
): (night: DatedDay) => Minor | null {
  const step = stepOf(currency);
  const table = tableOf(rates, step);
  return (night) => {
    const price = listedPrice(table, night);
    return price === null ? null : changedOrNull(price, adjustmentPercent, step);
  };
}

/**
 * The sum of the prices of nights. Null: one has none. Throws a RangeError if the sum is not a safe integer.
 *
 * `prices`: where the price of each night is written; null: nobody wants to know.
 */
export function priceNights(
  rates: Rates,
  step: Step,
  nights: readonly DatedDay[],
  adjustmentPercent: Percent,
  prices: Minor[] | null,
): Minor | null {
  const table = tableOf(rates, step);
  const isAsListed = adjustmentPercent === 0 && step === 1;
  let sum = 0;
  for (let at = 0; at < nights.length; at += 1) {
    const listed = listedPrice(table, nights[at]!);
    if (listed === null) return null;
    const price = isAsListed ? listed : changedBy(listed, adjustmentPercent, step);
    if (prices !== null) prices[at] = price;
    sum += price;
  }
  // A sum of prices that are not negative never comes back below the safe integers.
  return exact(sum);
}

/** The first and last date of a calendar month, as YYYYMMDD. */
export interface Month {
  first: number;
  last: number;
}

const dayOfMonth = (date: number): number => date % 100;

const lowestOf = (prices: WeekPrices): number =>
  Math.min(...prices.map((price) => price ?? Infinity));

/** How many of the nights of a month are in a season. */
function partOf({ from, to, isYearly }: Period, { first, last }: Month): 'all' | 'some' | 'none' {
  const begin = isYearly ? dayOfYear(first) : first;
  const end = isYearly ? dayOfYear(last) : last;
  const [isBefore, isAfter] = [from <= begin, to >= end];
  const isOverTurnOfYear = from > to;
  if (isOverTurnOfYear ? isBefore || isAfter : isBefore && isAfter) return 'all';
  const [meets, reaches] = [from <= end, to >= begin];
  return (isOverTurnOfYear ? meets || reaches : meets && reaches) ? 'some' : 'none';
}

/** The lowest dated rate of a month, and how many nights have one. */
function lowestDated(dates: RateTable['dates'], { first, last }: Month) {
  let [lowest, nights] = [Infinity, 0];
  const end = countUpTo(dates, last);
  for (let at = Math.max(0, countUpTo(dates, first) - 1); at < end; at += 1) {
    const {
      from,
      to,
      rate: { nightly },
    } = dates[at]!;
    if (nightly === undefined || to < first) continue;
    lowest = Math.min(lowest, nightly);
    nights += dayOfMonth(to < last ? to : last) - dayOfMonth(from > first ? from : first) + 1;
  }
  return { lowest, nights };
}

/** A lower bound of the listed prices of the nights of a month; Infinity: none has a price. */
export function lowestPriceIn({ rates, currency }: PricedNights, month: Month): number {
  const { dates, seasons, prices } = tableOf(rates, stepOf(currency));
  const dated = lowestDated(dates, month);
  let { lowest } = dated;
  if (dated.nights === dayOfMonth(month.last)) return lowest;
  for (const period of seasons) {
    const part = partOf(period, month);
    if (part === 'none') continue;
    lowest = Math.min(lowest, lowestOf(period.value));
    // Seasons of lower priority price no night of it.
    if (part === 'all' && !period.value.includes(undefined)) return lowest;
  }
  return Math.min(lowest, lowestOf(prices));
}

const noRules: DayRules = {};

/** What the layers state for a date: of each rule what the first of them says. */
function foundRules({ dates, ruled }: RateTable, date: number): DayRules {
  const dated = datedRateOn(dates, date);
  let minNights = dated?.minNights;
  let maxNights = dated?.maxNights;
  let through = dated?.minNightsThrough;
  let arrivalDays: DayRules['arrivalDays'] = dated?.arrivalDays;
  let departureDays: DayRules['departureDays'] = dated?.departureDays;
  for (const season of ruled) {
    if (!contains(season, date)) continue;
    const { value } = season;
    minNights ??= value.minNights;
    maxNights ??= value.maxNights;
    through ??= value.minNightsThrough;
    arrivalDays ??= value.arrivalDays;
    departureDays ??= value.departureDays;
  }
  return { minNights, maxNights, minNightsThrough: through, arrivalDays, departureDays };
}

/**
 * What the layers over the listing state for a day: of each rule by itself what the first layer says that states it;
 * undefined: none does, so the rule of the listing applies.
 *
 * Spec: STAY-3.
 */
export function dayRules(rates: Rates, day: DayNumber): DayRules {
  const table = tableOf(rates);
  if (!table.hasRules) return noRules;
  // Searches ask for the same day again and again, and a stay several times for its day of arrival.
  if (table.lastDay !== day) {
    table.lastRules = foundRules(table, dateDigits(day));
    table.lastDay = day;
  }
  return table.lastRules;
}

/** What the layers state of `departureDays` for a day: nearly always nothing, so a search asks only for that. */
export function layeredDepartureDays(rates: Rates, day: DayNumber): DayRules['departureDays'] {
  return tableOf(rates).hasDepartureDays ? dayRules(rates, day).departureDays : undefined;
}

/** The largest minimum that any night of a stay sets for stays that contain it; 0: none does. Spec: STAY-5. */
export function minNightsThrough(rates: Rates, { checkIn, checkOut }: Stay): number {
  const table = tableOf(rates);
  if (!table.hasNightsThrough) return 0;
  let most = 0;
  for (let day = checkIn; day < checkOut; day += 1) {
    most = Math.max(most, foundRules(table, dateDigits(day)).minNightsThrough ?? 0);
  }
  return most;
}

/** Where the listed price of a night comes from. */
export interface NightSource {
  layer: 'dates' | 'season' | 'listing';
  /** The name of the season. */
  name: string | null;
  /** The member that states the price. */
  member: 'nightly' | 'weekdays' | 'changePercent';
  /** With `changePercent`: it and the price that it changes. */
  changePercent: Percent | null;
  base: Minor | null;
}

const statedPrice = (
  { nightly, weekdays: ofWeekdays }: Pick<Season, 'nightly' | 'weekdays'>,
  weekday: WeekdayName,
): 'weekdays' | 'nightly' | null => {
  if (ofWeekdays?.[weekday] !== undefined) return 'weekdays';
  return nightly === undefined ? null : 'nightly';
};

const own = { changePercent: null, base: null } as const;

/** Where the listed price of a night comes from, for people who check it; null: no rule prices it. */
export function nightSource(rates: Rates, { date, weekday }: DatedDay): NightSource | null {
  const name = weekdays[weekday]!;
  if (datedRateOn(tableOf(rates).dates, date)?.nightly !== undefined) {
    return { layer: 'dates', name: null, member: 'nightly', ...own };
  }
  for (const season of rates.seasons.toSorted(byPriority)) {
    if (!contains(periodOf(season), date)) continue;
    const layer = { layer: 'season', name: season.name } as const;
    const member = statedPrice(season, name);
    if (member !== null) return { ...layer, member, ...own };
    const { changePercent } = season;
    if (changePercent === undefined) continue;
    const base = basePrice(rates, name);
    return base === null ? null : { ...layer, member: 'changePercent', changePercent, base };
  }
  const member = statedPrice(rates, name);
  return member && { layer: 'listing', name: null, member, ...own };
}
