/** Prices and arrival rules of one day, from a listing's rates. */

import { weekdays } from '../../contract/weekdays.ts';
import { dateDigits, weekdayOf } from './calendar-date.ts';
import type {
  DatedRate,
  DayNumber,
  Minor,
  Percent,
  Rates,
  Season,
  WeekdayName,
} from './listing.ts';
import { changedBy, changedOrNull, exact } from './money.ts';

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

/** Dates from the first to the last: YYYYMMDD, or MMDD of every year. */
interface Period {
  from: number;
  to: number;
  isYearly: boolean;
}

/** The price of each day of a week; null: no rule gives one, or it is not a safe integer. */
type WeekPrices = readonly (Minor | null)[];

/** Rates, prepared to find the price of a night. */
interface RateTable {
  /** Sorted by first night; they do not overlap. */
  dates: readonly (Period & { rate: DatedRate })[];
  /** Highest priority first. */
  seasons: readonly (Period & { season: Season; prices: WeekPrices })[];
  /** The prices of nights outside of seasons. */
  prices: WeekPrices;
}

/** The number of a date as a text, YYYY-MM-DD or MM-DD. */
const dateInFile = (text: string): number => Number(text.replaceAll('-', ''));

const periodOf = ({ from, to }: Pick<Season, 'from' | 'to'>): Period => ({
  from: dateInFile(from),
  to: dateInFile(to),
  isYearly: from.length === 'MM-DD'.length,
});

/** The price of nights without a dated rate. */
function undatedPrice(
  rates: Rates,
  season: Season | undefined,
  weekday: WeekdayName,
): Minor | null {
  const ofSeason = season?.weekdays?.[weekday] ?? season?.nightly;
  if (ofSeason !== undefined) return ofSeason;
  const base = rates.weekdays[weekday] ?? rates.nightly;
  return base === undefined ? null : changedOrNull(base, season?.changePercent ?? 0);
}

const weekPrices = (rates: Rates, season?: Season): WeekPrices =>
  weekdays.map((weekday) => undatedPrice(rates, season, weekday));

const knownTables = new WeakMap<Rates, RateTable>();

function tableOf(rates: Rates): RateTable {
  const known = knownTables.get(rates);
  if (known) return known;
  const made = {
    dates: rates.dates
      .map((rate) => ({ ...periodOf(rate), rate }))
      .toSorted((a, b) => a.from - b.from),
    seasons: rates.seasons
      .toSorted((a, b) => (b.priority ?? 0) - (a.priority ?? 0))
      .map((season) => ({ ...periodOf(season), season, prices: weekPrices(rates, season) })),
    prices: weekPrices(rates),
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

const dayOfYear = (date: number): number => date % 10_000;

function contains({ from, to, isYearly }: Period, date: number): boolean {
  const day = isYearly ? dayOfYear(date) : date;
  return from <= to ? from <= day && day <= to : from <= day || day <= to;
}

/** Whether a season contains a date, YYYY-MM-DD. */
export const seasonContains = (season: Pick<Season, 'from' | 'to'>, date: string): boolean =>
  contains(periodOf(season), dateInFile(date));

/** Finds the season of highest priority that contains a date. */
function seasonOn(
  seasons: RateTable['seasons'],
  date: number,
): RateTable['seasons'][number] | undefined {
  // `find` with a function takes several times as long.
  for (const season of seasons) if (contains(season, date)) return season;
  return undefined;
}

/** The weekday of a day as the catalog file names it. */
export const weekdayName = (day: DayNumber): WeekdayName => weekdays[weekdayOf(day) - 1]!;

/** The listed price of a night. */
function listedPrice({ dates, seasons, prices }: RateTable, { date, weekday }: DatedDay) {
  const dated = datedRateOn(dates, date)?.nightly;
  return dated ?? (seasonOn(seasons, date)?.prices ?? prices)[weekday]!;
}

/**
 * Makes the function that returns the price of a night; null: no rule prices it, or the price is not a safe
 * integer.
 *
 * `adjustmentPercent` is the application's channel adjustment.
 *
 * Spec: the catalog file, A night's price.
 */
export function nightPrices(
  rates: Rates,
  adjustmentPercent: Percent,
): (night: DatedDay) => Minor | null {
  const table = tableOf(rates);
  return (night) => {
    const price = listedPrice(table, night);
    return price === null ? null : changedOrNull(price, adjustmentPercent);
  };
}

/** The sum of the prices of nights. Null: one has none. Throws a RangeError if it is not a safe integer. */
export function sumOfNights(
  rates: Rates,
  nights: readonly DatedDay[],
  adjustmentPercent: Percent,
): Minor | null {
  const table = tableOf(rates);
  let sum = 0;
  for (const night of nights) {
    const price = listedPrice(table, night);
    if (price === null) return null;
    sum = exact(sum + changedBy(price, adjustmentPercent));
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
export function lowestPriceIn(rates: Rates, month: Month): number {
  const { dates, seasons, prices } = tableOf(rates);
  const dated = lowestDated(dates, month);
  let { lowest } = dated;
  if (dated.nights === dayOfMonth(month.last)) return lowest;
  for (const period of seasons) {
    const part = partOf(period, month);
    if (part === 'none') continue;
    lowest = Math.min(lowest, lowestOf(period.prices));
    // Seasons of lower priority have no night of it.
    if (part === 'all') return lowest;
  }
  return Math.min(lowest, lowestOf(prices));
}

/**
 * The arrival rules that the rates set for a date, YYYYMMDD; undefined: the rules of the listing apply.
 *
 * Each rule comes from the entry of `dates` if it has one, else from the season.
 *
 * Spec: the catalog file, Who may stay, and when.
 */
export function arrivalRulesOf(
  rates: Rates,
  date: number,
): { minNights: number | undefined; arrivalDays: readonly WeekdayName[] | undefined } {
  const { dates, seasons } = tableOf(rates);
  const dated = datedRateOn(dates, date);
  const season = seasonOn(seasons, date)?.season;
  return {
    minNights: dated?.minNights ?? season?.minNights,
    arrivalDays: dated?.arrivalDays ?? season?.arrivalDays,
  };
}
