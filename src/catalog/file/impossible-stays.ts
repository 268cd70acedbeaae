/** Rules of a listing that together allow no stay at all. */

import type { CatalogListing, Season } from '../../contract/catalog-file.ts';
import { limits } from '../../contract/limits.ts';
import type { Problem } from '../../platform/schema-check.ts';
import { dateText, dayNumber, dayRules, insideOf } from '../../pricing/index.ts';

/** A layer that states minimum or maximum nights. */
interface Layer {
  pointer: string;
  from: string;
  to: string;
  minNights?: number;
  maxNights?: number;
  /** Whether it decides on a date, YYYYMMDD. */
  contains(date: number): boolean;
}

/** A stated number, and where it is. */
interface Stated {
  value: number;
  pointer: string;
}

const { min: shortest, max: longest } = limits.nightsPerStay;

/** The layers that state one of both, the first that decides first. */
function layersOf({ rates: { dates = [], seasons = [] } }: CatalogListing): Layer[] {
  const layer = (entry: Omit<Layer, 'pointer' | 'contains'>, pointer: string): Layer => ({
    ...entry,
    pointer,
    contains: insideOf(entry),
  });
  const priorityOf = ({ priority = 0 }: Season): number => priority;
  const ordered = seasons
    .map((season, at) => ({ season, pointer: `/rates/seasons/${at}` }))
    .toSorted((a, b) => priorityOf(b.season) - priorityOf(a.season));
  return [
    ...dates.map((entry, at) => layer(entry, `/rates/dates/${at}`)),
    ...ordered.map(({ season, pointer }) => layer(season, pointer)),
  ].filter(({ minNights, maxNights }) => minNights !== undefined || maxNights !== undefined);
}

const isYearly = ({ from }: Layer): boolean => from.length === 'MM-DD'.length;
const leapYear = 2028;

/** The years in which layers must be looked at: those that are named, and a year that no layer names. */
function yearsOf(layers: readonly Layer[]): number[] {
  const named = layers.filter((layer) => !isYearly(layer));
  const years = named.flatMap(({ from, to }) => [Number(from.slice(0, 4)), Number(to.slice(0, 4))]);
  return [...new Set([leapYear, leapYear + 1, ...years.flatMap((year) => [year, year + 1])])];
}

const after = (date: string): string => dateText(dayNumber(date) + 1);

function dateIn(year: number, day: string): string {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return `${year}-${day === '02-29' && !isLeap ? '03-01' : day}`;
}

function* edgesIn(year: number, yearly: readonly Layer[]): Generator<string> {
  for (const { from, to } of yearly) {
    yield dateIn(year, from);
    yield after(dateIn(year, to));
  }
}

/**
 * The days on which another layer may begin to decide: the first of each, and the one after its last. Those of
 * yearly layers come last for the years that dates name: a few dates in many years make them many.
 */
function* edgesOf(layers: readonly Layer[]): Generator<string> {
  const yearly = layers.filter(isYearly);
  for (const { from, to } of layers.filter((layer) => !isYearly(layer))) {
    yield from;
    yield after(to);
  }
  for (const year of yearsOf(layers)) yield* edgesIn(year, yearly);
}

// To look at a day costs a step for each season and some steps more, to name its layers one for each of them;
// together some ten milliseconds. A home with 20 seasons and 400 dates takes 40,000.
const mostSteps = 500_000;
const stepsOfDay = 20;

function statedOn(
  layers: readonly Layer[],
  date: number,
  name: 'minNights' | 'maxNights',
  otherwise: Stated,
): Stated {
  const layer = layers.find((each) => each[name] !== undefined && each.contains(date));
  return layer ? { value: layer[name]!, pointer: `${layer.pointer}/${name}` } : otherwise;
}

/**
 * Minimum nights above the maximum, in each layer where they are so. Of a home with thousands of layers that contradict
 * each other, only some are found.
 */
function nightsProblems(listing: CatalogListing): Problem[] {
  const { minNights = shortest, maxNights = longest } = listing.stayRules ?? {};
  const ownMin = { value: minNights, pointer: '/stayRules/minNights' };
  const ownMax = { value: maxNights, pointer: '/stayRules/maxNights' };
  const layers = layersOf(listing);
  if (layers.length === 0) return minNights > maxNights ? [nightsProblem(ownMin, ownMax)] : [];
  const rates = { weekdays: {}, seasons: [], dates: [], lengthDiscounts: [], ...listing.rates };
  const found = new Map<string, Problem>();
  let steps = mostSteps;
  for (const date of edgesOf(layers)) {
    const digits = Number(date.replaceAll('-', ''));
    const stated = dayRules(rates, dayNumber(date));
    const least = stated.minNights ?? minNights;
    const most = stated.maxNights ?? maxNights;
    steps -= stepsOfDay + rates.seasons.length;
    if (least > most) {
      const min = statedOn(layers, digits, 'minNights', ownMin);
      const max = statedOn(layers, digits, 'maxNights', ownMax);
      found.set(`${min.pointer} ${max.pointer}`, nightsProblem(min, max));
      steps -= layers.length;
    }
    if (steps < 0) break;
  }
  return [...found.values()];
}

/** The problem at the layer that contradicts the listing, or the upper one. */
function nightsProblem(min: Stated, max: Stated): Problem {
  const isByMax = min.pointer.startsWith('/stayRules') && !max.pointer.startsWith('/stayRules');
  return isByMax
    ? {
        pointer: max.pointer,
        message: `must not be less than minNights, which is ${min.value} by ${min.pointer}`,
      }
    : {
        pointer: min.pointer,
        message: `must not be more than maxNights, which is ${max.value} by ${max.pointer}`,
      };
}

function noticeProblems({ stayRules = {} }: CatalogListing): Problem[] {
  const { advanceNotice, advanceNoticeDays = 0, bookingHorizonDays } = stayRules;
  const days = advanceNotice?.days ?? advanceNoticeDays;
  const horizon = Math.min(bookingHorizonDays ?? Infinity, limits.bookingHorizonDays);
  if (days <= horizon) return [];
  const pointer = advanceNotice ? '/stayRules/advanceNotice/days' : '/stayRules/advanceNoticeDays';
  const isOwn = bookingHorizonDays === horizon;
  const place = isOwn ? ' of /stayRules/bookingHorizonDays' : '';
  return [{ pointer, message: `is beyond the horizon of ${horizon} days${place}` }];
}

/** The longest and the shortest stay that some layer allows. */
function lengthsOf(listing: CatalogListing): { most: Stated; least: Stated } {
  const {
    minNights = shortest,
    maxNights = longest,
    gapMinNights = longest,
  } = listing.stayRules ?? {};
  let most: Stated = { value: maxNights, pointer: '/stayRules/maxNights' };
  let least: Stated = { value: Math.min(minNights, gapMinNights), pointer: '/stayRules/minNights' };
  for (const { pointer, minNights: min, maxNights: max } of layersOf(listing)) {
    if (max !== undefined && max > most.value)
      most = { value: max, pointer: `${pointer}/maxNights` };
    if (min !== undefined && min < least.value)
      least = { value: min, pointer: `${pointer}/minNights` };
  }
  return { most, least };
}

function discountProblems(listing: CatalogListing): Problem[] {
  const { lengthDiscounts = [], discounts = [] } = listing.rates;
  const { most, least } = lengthsOf(listing);
  const tooLong = `no stay is longer than maxNights ${most.value} of ${most.pointer}`;
  const tooShort = `no stay is shorter than minNights ${least.value} of ${least.pointer}`;
  return [
    ...lengthDiscounts.flatMap(({ minNights }, at) =>
      minNights > most.value
        ? [{ pointer: `/rates/lengthDiscounts/${at}/minNights`, message: tooLong }]
        : [],
    ),
    ...discounts.flatMap(({ when }, at) => {
      const { min = 0, max = longest } = when?.stayNights ?? {};
      const pointer = `/rates/discounts/${at}/when/stayNights`;
      if (min > most.value) return [{ pointer: `${pointer}/min`, message: tooLong }];
      return max < least.value ? [{ pointer: `${pointer}/max`, message: tooShort }] : [];
    }),
  ];
}

/**
 * The rules that contradict each other, each at its layer and with the place of the other: exactly these three.
 *
 * Spec: FILE-9.
 */
export const impossibleStays = (listing: CatalogListing): Problem[] => [
  ...nightsProblems(listing),
  ...noticeProblems(listing),
  ...discountProblems(listing),
];
