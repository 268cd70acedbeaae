/** What a listing's rates say of one day: the price of its night, and the rules for arrivals on it. */

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

/** A day, by its number and as YYYY-MM-DD. */
export interface NamedDay {
  day: DayNumber;
  date: string;
}

/** The rules that contain a day. */
interface RulesOfDay {
  dated: DatedRate | undefined;
  season: Season | undefined;
}

/** Rates in the order in which they are searched. */
interface OrderedRates {
  /** By their first night; they do not overlap. */
  dates: readonly DatedRate[];
  /** The highest priority first. */
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

/** The entry that contains a date: the last that begins no later, if it has not ended. */
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

/** Whether a season contains a date. Texts of both its forms sort as days do. */
export function seasonContains({ from, to }: Pick<Season, 'from' | 'to'>, date: string): boolean {
  const day = from.length === 5 ? date.slice(5) : date;
  return from <= to ? from <= day && day <= to : from <= day || day <= to;
}

function rulesOn(rates: Rates, date: string): RulesOfDay {
  const { dates, seasons } = inOrder(rates);
  return {
    dated: datedRateOn(dates, date),
    season: seasons.find((season) => seasonContains(season, date)),
  };
}

/** The weekday of a day as the catalog file names it. */
export const weekdayName = (day: DayNumber): WeekdayName => weekdays[weekdayOf(day) - 1]!;

function listedPrice(rates: Rates, { day, date }: NamedDay): Minor | null {
  const { dated, season } = rulesOn(rates, date);
  if (dated?.nightly !== undefined) return dated.nightly;
  const weekday = weekdayName(day);
  const ofSeason = season?.weekdays?.[weekday] ?? season?.nightly;
  if (ofSeason !== undefined) return ofSeason;
  const base = rates.weekdays[weekday] ?? rates.nightly;
  if (base === undefined) return null;
  return changedBy(base, season?.changePercent ?? 0);
}

/**
 * The price of a night, or null where no rule prices it.
 *
 * `adjustmentPercent` is the application's channel adjustment. Throws a RangeError where a price is
 * beyond what a number holds exactly.
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
 * The rules that the rates set for arrivals on a date; undefined: those of the listing apply.
 *
 * Each is looked up by itself: in the entry of `dates`, else in the season.
 *
 * Spec: the catalog file, Who may stay, and when.
 */
export function arrivalRulesOf(
  rates: Rates,
  date: string,
): { minNights: number | undefined; arrivalDays: readonly WeekdayName[] | undefined } {
  const { dated, season } = rulesOn(rates, date);
  return {
    minNights: dated?.minNights ?? season?.minNights,
    arrivalDays: dated?.arrivalDays ?? season?.arrivalDays,
  };
}
