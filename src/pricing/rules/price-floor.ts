/**
 * Lower bounds of totals that are cheap to compare: so a search that wants the cheapest of many homes
 * prices only few of them exactly.
 */

import { isWithin } from './counted.ts';
import { guestsOf } from './party.ts';
import type { Party, Percent, PricedListing } from './listing.ts';
import { MILLION, millionths } from './money.ts';
import { lengthDiscountFor } from './price-lines.ts';
import { type PlannedLine, type PricePlan, pricePlan } from './price-plan.ts';
import type { DatedDay, Month } from './rates.ts';

/** What a home charges at least for stays of one length, besides its nights. In minor units; not negative. */
export interface ExtrasFloor {
  /** What one minor unit of the nights adds to the total: discounts and taxes. */
  perMinor: number;
  fixed: number;
  perGuest: number;
  perAdult: number;
  perPet: number;
  /** What rounding can take off the total. */
  rounding: number;
}

/** Nights of a stay that are in the same month. */
interface NightsOfMonth {
  month: Month;
  nights: number;
}

/** Stays of a party whose lower bounds are the same: of one length, with the same number of nights in each month. */
export interface StaysLike {
  /** Names all that is asked. */
  name: string;
  nights: number;
  /** Each of the stays, by its months in order. */
  shapes: readonly (readonly NightsOfMonth[])[];
  guests: number;
  adults: number;
  pets: number;
  /** The price of one minor unit of the nights after a channel adjustment. */
  adjusted: number;
}

/** The month YYYYMM. */
function monthOf(number: number): Month {
  const [year, month] = [Math.floor(number / 100), number % 100];
  const { daysInMonth } = Temporal.PlainYearMonth.from({ year, month });
  return { first: number * 100 + 1, last: number * 100 + daysInMonth };
}

/** How many of the nights are in each month YYYYMM, in order. */
function countByMonth(stay: readonly DatedDay[]): [month: number, nights: number][] {
  const counts = new Map<number, number>();
  for (const { date } of stay) {
    const month = Math.floor(date / 100);
    counts.set(month, (counts.get(month) ?? 0) + 1);
  }
  return [...counts];
}

/** The stays of a party with a channel adjustment that are like these, which have the same length. */
export function staysLike(
  stays: readonly (readonly DatedDay[])[],
  party: Party,
  adjustmentPercent: Percent,
): StaysLike {
  const shapes = new Map<string, NightsOfMonth[]>();
  for (const stay of stays) {
    const counts = countByMonth(stay);
    shapes.set(
      counts.join(' '),
      counts.map(([number, nights]) => ({ month: monthOf(number), nights })),
    );
  }
  const [guests, { adults, pets }] = [guestsOf(party), party];
  return {
    name: [guests, adults, pets, adjustmentPercent, ...shapes.keys()].join('; '),
    nights: stays[0]!.length,
    shapes: [...shapes.values()],
    guests,
    adults,
    pets,
    adjusted: (MILLION + millionths(adjustmentPercent)) / MILLION,
  };
}

/** A lower bound of an amount: so much of accommodation, and for each stay, guest, adult and pet. */
interface AmountFloor {
  accommodation: number;
  fixed: number;
  perGuest: number;
  perAdult: number;
  perPet: number;
}

const nothing: AmountFloor = { accommodation: 0, fixed: 0, perGuest: 0, perAdult: 0, perPet: 0 };

const floorMembers = Object.keys(nothing) as (keyof AmountFloor)[];

function addTo(sum: AmountFloor, part: AmountFloor, times: number): void {
  for (const member of floorMembers) sum[member] += part[member] * times;
}

/** Whether a line is charged for every stay of this length; if that depends on the dates, it may be missing. */
function isCertain(
  { when, staysUpToNights, nights: counted }: PlannedLine,
  nights: number,
): boolean {
  if (nights > staysUpToNights || when?.daysAhead || !isWithin(when?.stayNights, nights)) {
    return false;
  }
  return counted === null || counted.isInside === null;
}

/** How many nights a line counts that does not depend on dates. */
const countedNights = ({ nights: counted }: PlannedLine, nights: number): number =>
  counted === null
    ? nights
    : Math.max(0, Math.min(nights, counted.toNight) - counted.fromNight + 1);

const adultAge = 18;

/** Whom the amount of a line is charged to at least; null: it may be nobody. */
function chargedTo({ ages, rule }: PlannedLine): 'perGuest' | 'perAdult' | null {
  // Such a line is charged for some of the guests.
  if ((rule.fromGuest ?? 1) > 1) return null;
  if (ages === null) return 'perGuest';
  if (ages.from > adultAge || ages.to < adultAge) return null;
  return ages.from === 0 ? 'perGuest' : 'perAdult';
}

function amountFloor(line: PlannedLine, nights: number): AmountFloor {
  const { per, amount = 0 } = line.rule;
  const unit = per?.replace(/_?night$/, '') ?? '';
  const times = per?.endsWith('night') ? countedNights(line, nights) : 1;
  const isFromLaterNight = line.nights !== null && line.nights.fromNight > 1;
  if (!per?.endsWith('night') && isFromLaterNight) return nothing;
  if (unit === 'pet') return { ...nothing, perPet: amount * times };
  if (unit !== 'guest') return { ...nothing, fixed: amount * times };
  const who = chargedTo(line);
  return who === null ? nothing : { ...nothing, [who]: amount * times };
}

/** The most that the taxes which a line contains are of it without them. */
const mostContained = ({ containedIn, lines }: PricePlan, at: number): number =>
  containedIn[at]!.reduce((sum, by) => sum + lines[by]!.points / MILLION, 0);

/** A percentage of lower bounds. */
function percentFloor(
  plan: PricePlan,
  line: PlannedLine,
  floors: readonly AmountFloor[],
  nights: number,
): AmountFloor {
  const isWhole = countedNights(line, nights) === nights;
  if (!isWhole) return nothing;
  const sum = { ...nothing };
  for (const at of line.on) {
    const net = line.isNet ? 1 / (1 + mostContained(plan, at)) : 1;
    addTo(sum, floors[at]!, (net * line.points) / MILLION);
  }
  return sum;
}

function lineFloor(
  plan: PricePlan,
  line: PlannedLine,
  floors: readonly AmountFloor[],
  nights: number,
): AmountFloor {
  if (!isCertain(line, nights) || line.isIncluded) return nothing;
  if (line.form === 'amount') return amountFloor(line, nights);
  return line.form === 'percent' ? percentFloor(plan, line, floors, nights) : nothing;
}

/** The most that the discounts may take of accommodation. */
function mostDiscount({ discounts = [] }: PricedListing['rates'], nights: number): number {
  const possible = discounts.filter(({ when }) => isWithin(when?.stayNights, nights));
  return Math.max(0, ...possible.map(({ percent }) => percent)) / 100;
}

/** What a home charges at least for stays of this many nights, besides its nights. */
export function extrasFloor(
  listing: Pick<PricedListing, 'currency' | 'rates' | 'fees' | 'taxes'>,
  nights: number,
): ExtrasFloor {
  const { rates } = listing;
  const plan = pricePlan(listing);
  const floors: AmountFloor[] = [{ ...nothing, accommodation: 1 }];
  const sum = { ...nothing, accommodation: 1 };
  // Rounding changes an amount by at most half a step.
  const roundedBy = plan.step / 2;
  // What rounding of earlier lines takes off a line is at most as much as these were rounded by.
  let rounding = 0;
  for (const line of plan.lines) {
    const floor = lineFloor(plan, line, floors, nights);
    floors.push(floor);
    addTo(sum, floor, 1);
    rounding = rounding * (1 + (line.isIncluded ? 0 : line.points / MILLION)) + roundedBy;
  }
  const discount = lengthDiscountFor(rates.lengthDiscounts, nights);
  const percent = discount?.percent ?? 0;
  const amount = discount?.amount ? discount.amount * Math.floor(nights / discount.minNights) : 0;
  const left = 1 - mostDiscount(rates, nights);
  const { accommodation, ...charged } = sum;
  // Each night is rounded, and both discounts; an amount is taken off before the other discount.
  rounding += (roundedBy * (nights + 2) + amount) * accommodation;
  return { ...charged, perMinor: (1 - percent / 100) * left * accommodation, rounding };
}

// Above the errors of some additions of numbers with 24 significant bits.
const inexact = 1e-6;

/**
 * A lower bound of `stayTotal`: `nights` is a lower bound of the listed prices of all nights, whose Infinity
 * means that one has no price, so that there is no total. Not negative. All numbers, the result included, may be
 * rounded to 24 significant bits.
 */
export function totalFloor(
  nights: number,
  { perMinor, fixed, perGuest, perAdult, perPet, rounding }: ExtrasFloor,
  { guests, adults, pets, adjusted }: StaysLike,
): number {
  if (nights === Infinity) return Infinity;
  const extras = fixed + guests * perGuest + adults * perAdult + pets * perPet;
  return Math.max(0, (nights * adjusted * perMinor + extras) * (1 - inexact) - rounding);
}
