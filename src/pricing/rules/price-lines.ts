/** The amounts of the lines of a stay: accommodation, discounts, fees and taxes. */

import { fraction, type Fraction, isBelow, nothing, plus, rounded, times } from './fraction.ts';
import {
  applies,
  countGuests,
  countsNight,
  holds,
  quantityOf,
  type StayToPrice,
} from './counted.ts';
import type { Discount, LengthDiscount, Minor, Percent, PricedListing, Tax } from './listing.ts';
import { exact, inSteps, MILLION, millionths, percentOf, share, type Step } from './money.ts';
import { guestsOf } from './party.ts';
import { type PlannedLine, type PricePlan, pricePlan } from './price-plan.ts';
import { promotionDiscount, type Promotion } from './promotion.ts';
import { insideOf, priceNights } from './rates.ts';

/** A reduction of accommodation. */
export interface Reduction {
  label: string;
  /** Positive. */
  amount: Minor;
  /** Of a percentage. */
  percent?: Percent;
  base?: Minor;
}

/** What a stay costs. */
export interface StayAmounts {
  plan: PricePlan;
  /** The price of each night. */
  prices: readonly Minor[];
  /** The sum of the nights. */
  gross: Minor;
  lengthDiscount: Reduction | null;
  discount: Reduction | null;
  promotion: Reduction | null;
  accommodation: Minor;
  /** The amount of each line of the plan; of an included tax, what the prices contain. */
  amounts: readonly Minor[];
  /** What each percentage is of, in whole minor units; null: it is no plain percentage. */
  bases: readonly (Minor | null)[];
  total: Minor;
}

/** What the amounts of lines depend on. */
interface Facts {
  plan: PricePlan;
  stay: StayToPrice;
  guests: number;
  gross: Minor;
  prices: readonly Minor[];
  /** The amounts of the lines so far, from accommodation on. */
  lines: Minor[];
}

/** All percentages that a line contains in a night of the stay. */
function containedPoints({ plan, stay }: Facts, line: number, night: number): number {
  let points = 0;
  for (const by of plan.containedIn[line]!) {
    const contained = plan.lines[by]!;
    if (applies(contained, stay) && countsNight(contained, stay, night)) points += contained.points;
  }
  return points;
}

/** An amount of a line in a night without the taxes that it contains. */
const without = (facts: Facts, amount: Fraction, line: number, night: number): Fraction =>
  times(amount, MILLION, MILLION + containedPoints(facts, line, night));

/** The part of accommodation that a night has. */
function nightPart({ gross, prices, lines, stay }: Facts, night: number): Fraction {
  if (gross === 0) return fraction(lines[0]!, stay.nights.length);
  return times(fraction(lines[0]!), prices[night]!, gross);
}

const arrivalNight = 0;

/** The exact amount that a percentage is of. `isNet`: without the taxes that the lines contain. */
function exactBase(line: PlannedLine, facts: Facts, isNet: boolean): Fraction {
  const { stay, lines } = facts;
  let sum = nothing;
  for (const at of line.on) {
    if (at > 0) {
      if (!countsNight(line, stay, arrivalNight)) continue;
      const amount = fraction(lines[at]!);
      sum = plus(sum, isNet ? without(facts, amount, at, arrivalNight) : amount);
      continue;
    }
    for (let night = 0; night < stay.nights.length; night += 1) {
      if (!countsNight(line, stay, night)) continue;
      const part = nightPart(facts, night);
      sum = plus(sum, isNet ? without(facts, part, at, night) : part);
    }
  }
  return sum;
}

/** The share of one guest in one night of what a line names. Spec: TAX-3. */
function shareOfGuest(line: PlannedLine, facts: Facts, night: number): Fraction {
  const { stay, lines, guests } = facts;
  const named = line.form === 'tiers' ? [0] : line.on;
  let sum = nothing;
  for (const at of named) {
    const part = at === 0 ? nightPart(facts, night) : fraction(lines[at]!, stay.nights.length);
    sum = plus(sum, line.isNet ? without(facts, part, at, night) : part);
  }
  return times(sum, 1, guests);
}

/** What one guest pays for one night. */
function chargeOfGuest(line: PlannedLine, facts: Facts, night: number): Fraction {
  const { maxAmount, tiers } = line.rule as Tax;
  const part = shareOfGuest(line, facts, night);
  if (line.form === 'tiers') {
    const tier = tiers!.findLast(({ from }) => !isBelow(part, from));
    return fraction(tier?.amount ?? 0);
  }
  const charge = times(part, line.points, MILLION);
  return maxAmount === undefined || isBelow(charge, maxAmount) ? charge : fraction(maxAmount);
}

/** The sum over the counted guests and nights of what one guest has in one night. */
function overGuestNights(
  line: PlannedLine,
  facts: Facts,
  ofGuest: (line: PlannedLine, facts: Facts, night: number) => Fraction,
): Fraction {
  const { stay } = facts;
  const guests = countGuests(line, stay.party);
  let sum = nothing;
  for (let night = 0; night < stay.nights.length && guests > 0; night += 1) {
    if (countsNight(line, stay, night)) sum = plus(sum, ofGuest(line, facts, night));
  }
  return times(sum, guests);
}

const hasCap = ({ rule }: PlannedLine): boolean => 'maxAmount' in rule;

/** The part of the named lines that an included tax is. Spec: TAX-7. */
function containedAmount(line: PlannedLine, facts: Facts): Minor {
  return rounded(times(exactBase(line, facts, true), line.points, MILLION));
}

/** The sum of whole lines. */
function plainBase({ on }: PlannedLine, lines: readonly Minor[]): Minor {
  let base = 0;
  for (const at of on) base = exact(base + lines[at]!);
  return base;
}

/** The amount of the next line. `bases`: where it is noted what a percentage is of; null: nobody wants to know. */
function addLine(line: PlannedLine, facts: Facts, bases: (Minor | null)[] | null): Minor {
  const { stay, lines, plan } = facts;
  if (stay.nights.length > line.staysUpToNights) return 0;
  if (line.isPlain && line.form === 'percent') {
    const base = plainBase(line, lines);
    if (bases) bases[lines.length - 1] = base;
    return share(base, line.points, MILLION, plan.step);
  }
  if (!applies(line, stay)) return 0;
  if (line.form === 'amount') {
    return inSteps(exact(line.rule.amount! * quantityOf(line, stay)), plan.step);
  }
  if (line.form !== 'percent') {
    if (bases && line.form === 'share' && !hasCap(line)) {
      bases[lines.length - 1] = rounded(overGuestNights(line, facts, shareOfGuest));
    }
    return rounded(overGuestNights(line, facts, chargeOfGuest), plan.step);
  }
  if (line.isIncluded) {
    if (bases) bases[lines.length - 1] = rounded(exactBase(line, facts, true));
    return containedAmount(line, facts);
  }
  const base = exactBase(line, facts, line.isNet);
  if (bases) bases[lines.length - 1] = rounded(base);
  return rounded(times(base, line.points, MILLION), plan.step);
}

/** The discount with the highest `minNights` that a stay of this many nights reaches; null: none. */
export function lengthDiscountFor(
  discounts: readonly LengthDiscount[],
  nights: number,
): LengthDiscount | null {
  let best: LengthDiscount | null = null;
  // By index, and without optional members: a search asks this of each home.
  for (let at = 0; at < discounts.length; at += 1) {
    const discount = discounts[at]!;
    if (discount.minNights > nights) continue;
    if (best === null || discount.minNights > best.minNights) best = discount;
  }
  return best;
}

function lengthReduction(
  discounts: readonly LengthDiscount[],
  nights: number,
  gross: Minor,
  step: Step,
): Reduction | null {
  const discount = lengthDiscountFor(discounts, nights);
  if (discount === null) return null;
  const { label, minNights, percent, amount = 0 } = discount;
  if (percent === undefined) {
    const often = Math.floor(nights / minNights);
    return { label, amount: Math.min(inSteps(exact(amount * often), step), gross) };
  }
  return { label, percent, base: gross, amount: percentOf(gross, percent, step) };
}

/** The sum of the prices of the nights that a discount reduces. */
function reducedPrices(
  { when }: Discount,
  { nights }: StayToPrice,
  prices: readonly Minor[],
): Minor {
  if (!when?.nights) return prices.reduce((sum, price) => sum + price, 0);
  const isInside = insideOf(when.nights);
  return prices.reduce((sum, price, at) => sum + (isInside(nights[at]!.date) ? price : 0), 0);
}

const hasNight = ({ when }: Discount, { nights }: StayToPrice): boolean => {
  if (!when?.nights) return true;
  const isInside = insideOf(when.nights);
  return nights.some(({ date }) => isInside(date));
};

/** Of the discounts whose condition holds, the first with the highest percentage; null: none. Spec: PRICE-6. */
function discountFor(discounts: readonly Discount[], stay: StayToPrice): Discount | null {
  let best: Discount | null = null;
  for (const discount of discounts) {
    const isBetter = discount.percent > (best?.percent ?? -1);
    if (isBetter && holds(discount.when, stay) && hasNight(discount, stay)) best = discount;
  }
  return best;
}

function otherReduction(
  discounts: readonly Discount[] | undefined,
  stay: StayToPrice,
  { prices, gross }: { prices: readonly Minor[]; gross: Minor },
  left: Minor,
  step: Step,
): Reduction | null {
  const discount = discounts ? discountFor(discounts, stay) : null;
  if (discount === null) return null;
  const { label, percent } = discount;
  const part =
    gross === 0 ? nothing : times(fraction(left), reducedPrices(discount, stay, prices), gross);
  const amount = rounded(times(part, millionths(percent), MILLION), step);
  return { label, percent, base: rounded(part), amount };
}

function promotionReduction(
  promotion: Promotion | null,
  left: Minor,
  currency: string,
): Reduction | null {
  if (promotion === null) return null;
  const { label } = promotion;
  const amount = promotionDiscount(promotion, left, currency);
  return promotion.kind === 'percent'
    ? { label, amount, percent: promotion.percent, base: left }
    : { label, amount };
}

type Priced = Pick<PricedListing, 'currency' | 'rates' | 'fees' | 'taxes'>;

/** The nights of a stay and what is taken off them. */
type Accommodation = Pick<
  StayAmounts,
  'prices' | 'gross' | 'lengthDiscount' | 'discount' | 'promotion' | 'accommodation'
>;

const noPrices: readonly Minor[] = [];

/** `written`: where the price of each night is written; null: nothing depends on them. */
function accommodationOf(
  { rates, currency }: Priced,
  stay: StayToPrice,
  step: Step,
  written: Minor[] | null,
) {
  const gross = priceNights(rates, step, stay.nights, stay.adjustmentPercent, written);
  if (gross === null) return null;
  const prices = written ?? noPrices;
  const lengthDiscount = lengthReduction(rates.lengthDiscounts, stay.nights.length, gross, step);
  const afterLength = gross - (lengthDiscount?.amount ?? 0);
  const discount = otherReduction(rates.discounts, stay, { prices, gross }, afterLength, step);
  const afterBoth = afterLength - (discount?.amount ?? 0);
  const promotion = promotionReduction(stay.promotion ?? null, afterBoth, currency);
  const accommodation = afterBoth - (promotion?.amount ?? 0);
  const found: Accommodation = {
    prices,
    gross,
    lengthDiscount,
    discount,
    promotion,
    accommodation,
  };
  return found;
}

/** Adds the amounts of fees and taxes to `lines`, which has that of accommodation. Returns the total. */
function addLines(
  plan: PricePlan,
  stay: StayToPrice,
  { gross, prices, accommodation }: Accommodation,
  lines: Minor[],
  bases: (Minor | null)[] | null,
): Minor {
  const facts: Facts = { plan, stay, guests: guestsOf(stay.party), gross, prices, lines };
  let total = accommodation;
  for (const line of plan.lines) {
    bases?.push(null);
    const amount = addLine(line, facts, bases);
    lines.push(amount);
    if (!line.isIncluded) total = exact(total + amount);
  }
  return total;
}

/** The total of `stayAmounts` without what it is made of, for comparing many homes. */
export function totalOf(listing: Priced, stay: StayToPrice): Minor | null {
  const plan = pricePlan(listing);
  const needsNights = plan.needsNights || listing.rates.discounts !== undefined;
  const accommodation = accommodationOf(listing, stay, plan.step, needsNights ? [] : null);
  return accommodation && addLines(plan, stay, accommodation, [accommodation.accommodation], null);
}

/**
 * What a stay costs, line by line, without texts and payments.
 *
 * Null: a night has no price. Throws a RangeError if a sum is not a safe integer. Every night and every line is
 * rounded once, half away from zero.
 *
 * Spec: PRICE-7.
 */
export function stayAmounts(listing: Priced, stay: StayToPrice): StayAmounts | null {
  const plan = pricePlan(listing);
  const accommodation = accommodationOf(listing, stay, plan.step, []);
  if (accommodation === null) return null;
  const lines = [accommodation.accommodation];
  const bases: (Minor | null)[] = [];
  const total = addLines(plan, stay, accommodation, lines, bases);
  return { plan, ...accommodation, amounts: lines.slice(1), bases, total };
}
