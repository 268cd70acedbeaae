/** Prices and arrival rules of one day, from a listing's rates. */

import { weekdays } from '../../contract/catalog-file.ts';
import { weekdayOf } from './calendar-date.ts';
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

/** A day as a number and as YYYY-MM-DD. */
export interface NamedDay {
  day: DayNumber;
  date: string;
}

/** The rates that apply to a day. */
interface RatesOfDay {
  dated: DatedRate | undefined;
  season: Season | undefined;
}

/** Rates, sorted for the search. */
interface OrderedRates {
  /** Sorted by first night; they do not overlap. */
  dates: readonly DatedRate[];
  /** Highest priority first. */
  seasons: readonly Season[];
}

const knownOrders = new WeakMap<Rates, OrderedRates>();

function inOrder(rates: Rates): OrderedRates {
  const known = knownOrders.get(rates);
  if (known) return known;
  const made = {
    dates: rates.dates.toSorted((a, b) => (a.from < b.from ? -1 : 1)),
    seasons: rates.seasons.toSorted((a, b) => (b.priority ?? 0) - (a.priority ?? 0)),
  };
  knownOrders.set(rates, made);
  return made;
}

/** The number of entries that begin on a date or earlier, by binary search. */
function countUpTo(dates: readonly DatedRate[], date: string): number {
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
function datedRateOn(dates: readonly DatedRate[], date: string): DatedRate | undefined {
  const last = dates[countUpTo(dates, date) - 1];
  return last && date <= last.to ? last : undefined;
}

/** Whether a season contains a date. Both forms (YYYY-MM-DD, MM-DD) sort chronologically as texts. */
export function seasonContains({ from, to }: Pick<Season, 'from' | 'to'>, date: string): boolean {
  const day = from.length === 5 ? date.slice(5) : date;
  return from <= to ? from <= day && day <= to : from <= day || day <= to;
}

function ratesOn({ dates, seasons }: OrderedRates, date: string): RatesOfDay {
  return {
    dated: datedRateOn(dates, date),
    season: seasons.find((season) => seasonContains(season, date)),
  };
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
): (night: NamedDay) => Minor | null {
  const ordered = inOrder(rates);
  return ({ day, date }) => {
    const { dated, season } = ratesOn(ordered, date);
    const price = dated?.nightly ?? undatedPrice(rates, season, weekdayName(day));
    return price === null ? null : changedBy(price, adjustmentPercent);
  };
}

/** The first and last date of a calendar month. */
export interface Month {
  first: string;
  last: string;
}

const dayOfMonth = (date: string): number => Number(date.slice('YYYY-MM-'.length));

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
function partOf({ from, to }: Season, { first, last }: Month): 'all' | 'some' | 'none' {
  const isYearly = from.length === 5;
  const begin = isYearly ? first.slice(5) : first;
  const end = isYearly ? last.slice(5) : last;
  const [isBefore, isAfter] = [from <= begin, to >= end];
  const isOverTurnOfYear = from > to;
  if (isOverTurnOfYear ? isBefore || isAfter : isBefore && isAfter) return 'all';
  const [meets, reaches] = [from <= end, to >= begin];
  return (isOverTurnOfYear ? meets || reaches : meets && reaches) ? 'some' : 'none';
}

/** The lowest dated rate of a month, and how many nights have one. */
function lowestDated(dates: readonly DatedRate[], { first, last }: Month) {
  let [lowest, nights] = [Infinity, 0];
  const end = countUpTo(dates, last);
  for (let at = Math.max(0, countUpTo(dates, first) - 1); at < end; at += 1) {
    const { from, to, nightly } = dates[at]!;
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
  for (const season of seasons) {
    const part = partOf(season, month);
    if (part === 'none') continue;
    lowest = Math.min(lowest, lowestUndated(rates, season));
    // Seasons of lower priority have no night of it.
    if (part === 'all') return lowest;
  }
  return Math.min(lowest, lowestUndated(rates, undefined));
}

/**
 * The arrival rules that the rates set for a date; undefined: the rules of the listing apply.
 *
 * Each rule comes from the entry of `dates` if it has one, else from the season.
 *
 * Spec: the catalog file, Who may stay, and when.
 */
export function arrivalRulesOf(
  rates: Rates,
  date: string,
): { minNights: number | undefined; arrivalDays: readonly WeekdayName[] | undefined } {
  const { dated, season } = ratesOn(inOrder(rates), date);
  return {
    minNights: dated?.minNights ?? season?.minNights,
    arrivalDays: dated?.arrivalDays ?? season?.arrivalDays,
  };
}
