/** Finds nights whose price changes so much that it is probably a mistake. */
import { limits } from '../../contract/limits.ts';
import { dateText, dayNumber } from './calendar-date.ts';
import type { DayNumber, Minor } from './listing.ts';
import { datedDay, nightPrices, type PricedNights } from './rates.ts';

/** Nights that follow each other, with the same price before and the same price after. */
export interface UnusualNights {
  from: string;
  /** The last night, included. */
  to: string;
  before: Minor;
  after: Minor;
}

const times = 5;

/** A night that is sold now can be as far ahead as this. */
const nightsOnSale = limits.bookingHorizonDays + limits.nightsPerStay.max;

const nightsOfAWeek = 7;

const isUnusual = (before: Minor, after: Minor): boolean =>
  after * times < before || after > before * times;

/** The days on which a layer of certain dates begins or has just ended. */
function edgesOf({ rates }: PricedNights): DayNumber[] {
  const layers = [...rates.dates, ...rates.seasons].filter(
    ({ from }) => from.length === 'YYYY-MM-DD'.length,
  );
  return layers.flatMap(({ from, to }) => [dayNumber(from), dayNumber(to) + 1]);
}

/**
 * The nights to compare: all that can be on sale now, and after them a week of each stretch in which the same layers
 * of certain dates count, because dates may be thousands of years ahead.
 */
function comparedDays(homes: readonly PricedNights[], first: DayNumber): DayNumber[] {
  const days = new Set<DayNumber>();
  const addFrom = (day: DayNumber, nights: number) => {
    for (let next = day; next < day + nights; next += 1) days.add(next);
  };
  addFrom(first, nightsOnSale);
  for (const edge of homes.flatMap(edgesOf)) {
    if (edge >= first + nightsOnSale) addFrom(edge, nightsOfAWeek);
  }
  return [...days].toSorted((a, b) => a - b);
}

/**
 * The nights from a day on that would cost less than a fifth or more than five times of what they cost now. A night
 * without a price, before or after, is none of them, and neither is a home whose currency changes.
 *
 * Spec: FILE-13.
 */
export function unusualNights(
  before: PricedNights,
  after: PricedNights,
  first: DayNumber,
): UnusualNights[] {
  if (before.currency !== after.currency) return [];
  const [priceBefore, priceAfter] = [nightPrices(before, 0), nightPrices(after, 0)];
  const found: UnusualNights[] = [];
  let last: DayNumber = Number.NaN;
  for (const day of comparedDays([before, after], first)) {
    const night = datedDay(day);
    const [old, next] = [priceBefore(night), priceAfter(night)];
    if (old === null || next === null || !isUnusual(old, next)) continue;
    const open = found.at(-1);
    if (open && last + 1 === day && open.before === old && open.after === next) {
      open.to = dateText(day);
    } else found.push({ from: dateText(day), to: dateText(day), before: old, after: next });
    last = day;
  }
  return found;
}
