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

const ordered = new WeakMap<Rates, OrderedRates>();

function inOrder(rates: Rates): OrderedRates {
  const known = ordered.get(rates);
  if (known) return known;
  const made = {
    dates: rates.dates.toSorted((a, b) => (a.from < b.from ? -1 : 1)),
    seasons: rates.seasons.toSorted((a, b) => (b.priority ?? 0) - (a.priority ?? 0)),
  };
  ordered.set(rates, made);
  return made;
}

/** Finds the entry that contains a date by binary search. */
function datedRateOn(dates: readonly DatedRate[], date: string): DatedRate | undefined {
  let low = 0;
  let high = dates.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (dates[middle]!.from <= date) low = middle + 1;
    else high = middle;
  }
  const last = dates[low - 1];
  return last && date <= last.to ? last : undefined;
}

/** Whether a season contains a date. Both forms (YYYY-MM-DD, MM-DD) sort chronologically as texts. */
export function seasonContains({ from, to }: Pick<Season, 'from' | 'to'>, date: string): boolean {
  const day = from.length === 5 ? date.slice(5) : date;
  return from <= to ? from <= day && day <= to : from <= day || day <= to;
}

function ratesOn(rates: Rates, date: string): RatesOfDay {
  const { dates, seasons } = inOrder(rates);
  return {
    dated: datedRateOn(dates, date),
    season: seasons.find((season) => seasonContains(season, date)),
  };
}

/** The weekday of a day as the catalog file names it. */
export const weekdayName = (day: DayNumber): WeekdayName => weekdays[weekdayOf(day) - 1]!;

function listedPrice(rates: Rates, { day, date }: NamedDay): Minor | null {
  const { dated, season } = ratesOn(rates, date);
  if (dated?.nightly !== undefined) return dated.nightly;
  const weekday = weekdayName(day);
  const ofSeason = season?.weekdays?.[weekday] ?? season?.nightly;
  if (ofSeason !== undefined) return ofSeason;
  const base = rates.weekdays[weekday] ?? rates.nightly;
  if (base === undefined) return null;
  return changedBy(base, season?.changePercent ?? 0);
}

/**
 * The price of a night; null: no rule prices it.
 *
 * `adjustmentPercent` is the application's channel adjustment. Throws a RangeError if a price is not a
 * safe integer.
 *
 * Spec: the catalog file, A night's price.
 */
export function nightPrice(
  rates: Rates,
  night: NamedDay,
  adjustmentPercent: Percent,
): Minor | null {
  const price = listedPrice(rates, night);
  return price === null ? null : changedBy(price, adjustmentPercent);
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
  const { dated, season } = ratesOn(rates, date);
  return {
    minNights: dated?.minNights ?? season?.minNights,
    arrivalDays: dated?.arrivalDays ?? season?.arrivalDays,
  };
}
