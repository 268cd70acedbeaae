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
import { changedBy } from './money.ts';

/** A day, and its date as the number YYYYMMDD: numbers are compared faster than texts. */
export interface DatedDay {
  day: DayNumber;
  date: number;
}

/** The day with its date. */
export const datedDay = (day: DayNumber): DatedDay => ({ day, date: dateDigits(day) });

/** Dates from the first to the last: YYYYMMDD, or MMDD of every year. */
interface Period {
  from: number;
  to: number;
  isYearly: boolean;
}

/** Rates, sorted for the search. */
interface OrderedRates {
  /** Sorted by first night; they do not overlap. */
  dates: readonly (Period & { rate: DatedRate })[];
  /** Highest priority first. */
  seasons: readonly (Period & { season: Season })[];
}

/** The number of a date as a text, YYYY-MM-DD or MM-DD. */
const dateInFile = (text: string): number => Number(text.replaceAll('-', ''));

const periodOf = ({ from, to }: Pick<Season, 'from' | 'to'>): Period => ({
  from: dateInFile(from),
  to: dateInFile(to),
  isYearly: from.length === 'MM-DD'.length,
});

const knownOrders = new WeakMap<Rates, OrderedRates>();

function inOrder(rates: Rates): OrderedRates {
  const known = knownOrders.get(rates);
  if (known) return known;
  const made = {
    dates: rates.dates
      .map((rate) => ({ ...periodOf(rate), rate }))
      .toSorted((a, b) => a.from - b.from),
    seasons: rates.seasons
      .toSorted((a, b) => (b.priority ?? 0) - (a.priority ?? 0))
      .map((season) => ({ ...periodOf(season), season })),
  };
  knownOrders.set(rates, made);
  return made;
}

/** The number of entries that begin on a date or earlier, by binary search. */
function countUpTo(dates: OrderedRates['dates'], date: number): number {
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
function datedRateOn(dates: OrderedRates['dates'], date: number): DatedRate | undefined {
  const last = dates[countUpTo(dates, date) - 1];
  return last && date <= last.to ? last.rate : undefined;
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
function seasonOn(seasons: OrderedRates['seasons'], date: number): Season | undefined {
  // `find` with a function would be most of the time that a night takes.
  for (const period of seasons) if (contains(period, date)) return period.season;
  return undefined;
}

/** The weekday of a day as the catalog file names it. */
export const weekdayName = (day: DayNumber): WeekdayName => weekdays[weekdayOf(day) - 1]!;

/** The price of nights without a dated rate. Null: no rule prices them. */
function undatedPrice(
  rates: Rates,
  season: Season | undefined,
  weekday: WeekdayName,
): Minor | null {
  const ofSeason = season?.weekdays?.[weekday] ?? season?.nightly;
  if (ofSeason !== undefined) return ofSeason;
  const base = rates.weekdays[weekday] ?? rates.nightly;
  if (base === undefined) return null;
  return changedBy(base, season?.changePercent ?? 0);
}

/**
 * Makes the function that returns the price of a night; null: no rule prices it. It throws a RangeError if a
 * price is not a safe integer.
 *
 * `adjustmentPercent` is the application's channel adjustment.
 *
 * Spec: the catalog file, A night's price.
 */
export function nightPrices(
  rates: Rates,
  adjustmentPercent: Percent,
): (night: DatedDay) => Minor | null {
  const { dates, seasons } = inOrder(rates);
  return ({ day, date }) => {
    const price =
      datedRateOn(dates, date)?.nightly ??
      undatedPrice(rates, seasonOn(seasons, date), weekdayName(day));
    return price === null ? null : changedBy(price, adjustmentPercent);
  };
}

/** The first and last date of a calendar month, as YYYYMMDD. */
export interface Month {
  first: number;
  last: number;
}

const dayOfMonth = (date: number): number => date % 100;

/** The lowest price of nights without a dated rate; Infinity: no weekday has one. */
function lowestUndated(rates: Rates, season: Season | undefined): number {
  let lowest = Infinity;
  for (const weekday of weekdays) {
    try {
      lowest = Math.min(lowest, undatedPrice(rates, season, weekday) ?? Infinity);
    } catch (error) {
      // A night with such a price has none.
      if (!(error instanceof RangeError)) throw error;
    }
  }
  return lowest;
}

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
function lowestDated(dates: OrderedRates['dates'], { first, last }: Month) {
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
  const { dates, seasons } = inOrder(rates);
  const dated = lowestDated(dates, month);
  let { lowest } = dated;
  if (dated.nights === dayOfMonth(month.last)) return lowest;
  for (const period of seasons) {
    const part = partOf(period, month);
    if (part === 'none') continue;
    lowest = Math.min(lowest, lowestUndated(rates, period.season));
    // Seasons of lower priority have no night of it.
    if (part === 'all') return lowest;
  }
  return Math.min(lowest, lowestUndated(rates, undefined));
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
  const { dates, seasons } = inOrder(rates);
  const dated = datedRateOn(dates, date);
  const season = seasonOn(seasons, date);
  return {
    minNights: dated?.minNights ?? season?.minNights,
    arrivalDays: dated?.arrivalDays ?? season?.arrivalDays,
  };
}
