/** Integer arithmetic on amounts in minor units. */

import type { Millionths, Minor, Percent } from './listing.ts';

/** 100 % in millionths. */
export const MILLION: Millionths = 1_000_000;

/** Converts a percentage with at most four decimals to millionths. */
export const millionths = (percent: Percent): Millionths => Math.round(percent * 10_000);

/** Amounts are multiples of this many minor units. */
export type Step = 1 | 10;

// ISO 4217. Card networks take no other amounts of them than multiples of ten.
const threeDecimals: ReadonlySet<string> = new Set([
  'BHD',
  'IQD',
  'JOD',
  'KWD',
  'LYD',
  'OMR',
  'TND',
]);

/** What amounts of a currency are multiples of. Spec: PRICE-8. */
export const stepOf = (currency: string): Step => (threeDecimals.has(currency) ? 10 : 1);

/** The nearest multiple of a step, half away from zero. */
export const inSteps = (amount: Minor, step: Step): Minor =>
  step === 1 ? amount : exact(roundedQuotient(exact(amount), step) * step);

/** Returns the amount. Throws a RangeError if it is not a safe integer. */
export function exact(amount: Minor): Minor {
  if (!Number.isSafeInteger(amount)) throw new RangeError(`${amount} is not exact`);
  return amount;
}

/** The exact sum of the amounts. Throws as `exact` does. */
export const sumOf = (parts: readonly { amount: Minor }[]): Minor =>
  parts.reduce((sum, { amount }) => exact(sum + amount), 0);

/**
 * The share of an amount, rounded to a multiple of a step, half away from zero. `whole` is 100 % in the unit of `points`.
 *
 * The amount is divided first, so that no product leaves the safe integers before the result does. Never
 * returns -0. Throws a RangeError if an argument or the result is not a safe integer.
 *
 * Spec: PRICE-2.
 */
export function share(
  amount: Minor,
  points: number,
  whole: number = MILLION,
  step: Step = 1,
): Minor {
  const divisor = whole * step;
  // Not `%`, which takes several times as long for numbers that may have a fraction.
  const quotient = Math.trunc(amount / divisor);
  const rest = amount - quotient * divisor;
  const restShare = rest * points;
  const result = (quotient * points + roundedQuotient(restShare, divisor)) * step;
  const isExact =
    Number.isSafeInteger(amount) &&
    Number.isSafeInteger(points) &&
    Number.isSafeInteger(restShare) &&
    Number.isSafeInteger(result);
  if (!isExact) throw new RangeError(`no exact share of ${amount} at ${points} of ${whole}`);
  return result;
}

/**
 * The percentage of a non-negative amount, limited to 0 to 100 %.
 *
 * For discounts, refunds and amounts due at booking: a percentage above 100 must not make a price
 * negative. Throws as `share` does.
 *
 * Spec: PRICE-2.
 */
export const percentOf = (amount: Minor, percent: Percent, step: Step = 1): Minor =>
  share(amount, Math.min(Math.max(millionths(percent), 0), MILLION), MILLION, step);

/**
 * Changes an amount by a percentage (-25: a quarter less), never below 0. Throws as `share` does.
 *
 * Spec: PRICE-3.
 */
export const changedBy = (amount: Minor, percent: Percent, step: Step = 1): Minor =>
  percent === 0
    ? inSteps(amount, step)
    : Math.max(0, share(amount, MILLION + millionths(percent), MILLION, step));

/** The same, or null instead of a RangeError. */
export function changedOrNull(amount: Minor, percent: Percent, step: Step = 1): Minor | null {
  try {
    return changedBy(amount, percent, step);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Divides an integer by a positive integer, rounded half away from zero, never -0. */
function roundedQuotient(numerator: number, denominator: number): number {
  // Exact: a quotient of safe integers that is not one is too far from the next integer to be rounded to it.
  const truncated = Math.trunc(numerator / denominator);
  const remainder = numerator - truncated * denominator;
  const away = 2 * Math.abs(remainder) >= denominator ? Math.sign(remainder) : 0;
  return truncated + away;
}
