/** Which nights of a home read differently since each member of a layer is looked up by itself. */

import {
  datedDay,
  dateText,
  dayRules,
  type DayNumber,
  insideOf,
  type Listing,
  nightPrices,
  type Season,
} from '../pricing/index.ts';

type Rates = Listing['rates'];

/** The nights of a home whose price or rules have changed. */
export interface ReadDifferently {
  /** How many nights have another price, and how many another rule. */
  prices: number;
  rules: number;
  /** The first of these nights and the last one. */
  from: string;
  to: string;
}

/** Makes the function that finds the rates as they counted before: of all seasons only the uppermost of a date. */
function earlierRates(rates: Rates): (date: number) => Rates {
  const ordered = rates.seasons
    .toSorted((a, b) => (b.priority ?? 0) - (a.priority ?? 0))
    .map((season) => ({ season, isInside: insideOf(season) }));
  const known = new Map<Season | undefined, Rates>();
  return (date) => {
    const season = ordered.find(({ isInside }) => isInside(date))?.season;
    const found = known.get(season) ?? { ...rates, seasons: season ? [season] : [] };
    known.set(season, found);
    return found;
  };
}

// A currency of two decimals: before, amounts of those with three were no multiples of ten.
const earlierCurrency = 'EUR';

/**
 * Compares the reading of layers that counted until the release of 26 November 2026 with that of now. Null: all of the
 * nights have the same price and rules. Spec: STAY-3.
 */
export function readDifferently(
  { rates, currency }: Pick<Listing, 'rates' | 'currency'>,
  first: DayNumber,
  nights: number,
): ReadDifferently | null {
  const earlierOn = earlierRates(rates);
  const priceNow = nightPrices({ rates, currency }, 0);
  let [prices, rules, from, to] = [0, 0, first + nights, first];
  for (let day = first; day < first + nights; day += 1) {
    const night = datedDay(day);
    const before = earlierOn(night.date);
    const stated = dayRules(rates, day);
    const earlier = dayRules(before, day);
    const hasPrice =
      nightPrices({ rates: before, currency: earlierCurrency }, 0)(night) !== priceNow(night);
    const hasRule =
      stated.minNights !== earlier.minNights ||
      stated.arrivalDays?.join() !== earlier.arrivalDays?.join();
    if (!hasPrice && !hasRule) continue;
    prices += hasPrice ? 1 : 0;
    rules += hasRule ? 1 : 0;
    from = Math.min(from, day);
    to = Math.max(to, day);
  }
  return prices + rules === 0 ? null : { prices, rules, from: dateText(from), to: dateText(to) };
}
