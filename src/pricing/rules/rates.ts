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
  WeekdayName,
} from './listing.ts';
import { changedBy, changedOrNull, exact, type Step, stepOf } from './money.ts';

/** A day with its date as the number YYYYMMDD and its place in a week: numbers are compared faster than texts. */
export interface DatedDay {
  day: DayNumber;
  date: number;
  /** 0: Monday. */
  weekday: number;
}

/** The day with its date. */
export const datedDay = (day: DayNumber): DatedDay => ({
  day,
  date: dateDigits(day),
  weekday: weekdayOf(day) - 1,
});

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

type LayerRule = keyof LayerRules;

/** Rates, prepared to find the price and the rules of a day. */
interface RateTable {
  step: Step;
  /** Sorted by first night; they do not overlap. */
  dates: readonly (Period & { rate: DatedRate })[];
  /** The seasons that state prices, highest priority first. */
  seasons: readonly Stated<WeekPrices>[];
  /** The prices of nights without a more specific price. */
  prices: WeekPrices;
  /** The seasons that state each rule, highest priority first. */
  rules: { readonly [Rule in LayerRule]: readonly Stated<LayerRules[Rule]>[] };
  /** Whether any layer states `minNightsThrough`. */
  hasNightsThrough: boolean;
}

/** The number of a date as a text, YYYY-MM-DD or MM-DD. */
const dateInFile = (text: string): number => Number(text.replaceAll('-', ''));

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

const layerRules = [
  'minNights',
  'maxNights',
  'minNightsThrough',
  'arrivalDays',
  'departureDays',
] as const satisfies LayerRule[];

/** The seasons that state a rule, in their order. */
const statedIn = <Rule extends LayerRule>(
  seasons: readonly Season[],
  rule: Rule,
): Stated<LayerRules[Rule]>[] =>
  seasons.flatMap((season) => {
    const value = season[rule] as LayerRules[Rule] | undefined;
    return value === undefined ? [] : [{ ...periodOf(season), value }];
  });

const byPriority = (a: Season, b: Season): number => (b.priority ?? 0) - (a.priority ?? 0);

const knownTables = new WeakMap<Rates, RateTable>();

function tableOf(rates: Rates, step: Step = knownTables.get(rates)?.step ?? 1): RateTable {
  const known = knownTables.get(rates);
  if (known?.step === step) return known;
  const seasons = rates.seasons.toSorted(byPriority);
  const priced = seasons.map((season) => ({
    ...periodOf(season),
    value: weekdays.map((weekday) => priceOfSeason(rates, step, season, weekday)),
  }));
  const made: RateTable = {
    step,
    dates: rates.dates
      .map((rate) => ({ ...periodOf(rate), rate }))
      .toSorted((a, b) => a.from - b.from),
    seasons: priced.filter(({ value }) => value.some((price) => price !== undefined)),
    prices: weekdays.map((weekday) => basePrice(rates, weekday)),
    rules: Object.fromEntries(
      layerRules.map((rule) => [rule, statedIn(seasons, rule)]),
    ) as unknown as RateTable['rules'],
    hasNightsThrough: [...seasons, ...rates.dates].some(
      (layer) => layer.minNightsThrough !== undefined,
    ),
  };
  knownTables.set(rates, made);
  return made;
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

const dayOfYear = (date: number): number => date % 10_000;

function contains({ from, to, isYearly }: Period, date: number): boolean {
  const day = isYearly ? dayOfYear(date) : date;
  return from <= to ? from <= day && day <= to : from <= day || day <= to;
}

/** The weekday of a day as the catalog file names it. */
export const weekdayName = (day: DayNumber): WeekdayName => weekdays[weekdayOf(day) - 1]!;

/** The listed price of a night: that of the first layer that states one. */
function listedPrice(
  { dates, seasons, prices }: RateTable,
  { date, weekday }: DatedDay,
): Minor | null {
  const dated = datedRateOn(dates, date)?.nightly;
  if (dated !== undefined) return dated;
  // `find` with a function takes several times as long.
  for (const season of seasons) {
    const price = season.value[weekday];
    if (price !== undefined && contains(season, date)) return price;
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
 * Writes the prices of nights into a list, and returns their sum. Null: one has none. Throws a RangeError if the sum
 * is not a safe integer.
 */
export function priceNights(
  rates: Rates,
  step: Step,
  nights: readonly DatedDay[],
  adjustmentPercent: Percent,
  prices: Minor[],
): Minor | null {
  const table = tableOf(rates, step);
  let sum = 0;
  for (let at = 0; at < nights.length; at += 1) {
    const listed = listedPrice(table, nights[at]!);
    if (listed === null) return null;
    const price = changedBy(listed, adjustmentPercent, step);
    prices[at] = price;
    sum = exact(sum + price);
  }
  return sum;
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

/**
 * What the first layer over the listing states of a rule for a date, YYYYMMDD; undefined: none does, so the rule
 * of the listing applies.
 *
 * Spec: STAY-3.
 */
export function layerRule<Rule extends LayerRule>(
  rates: Rates,
  rule: Rule,
  date: number,
): LayerRules[Rule] | undefined {
  const { dates, rules } = tableOf(rates);
  const dated = datedRateOn(dates, date)?.[rule];
  if (dated !== undefined) return dated as LayerRules[Rule];
  for (const season of rules[rule]) if (contains(season, date)) return season.value;
  return undefined;
}

/** The largest minimum that any night of a stay sets for stays that contain it; 0: none does. */
export function minNightsThrough(rates: Rates, nights: Iterable<number>): number {
  if (!tableOf(rates).hasNightsThrough) return 0;
  let most = 0;
  for (const date of nights) most = Math.max(most, layerRule(rates, 'minNightsThrough', date) ?? 0);
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
