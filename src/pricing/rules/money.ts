/** Integer arithmetic on amounts in minor units. */

import type { BasisPoints, Minor, Percent } from './listing.ts';

/** 100 % in basis points. */
export const WHOLE: BasisPoints = 10_000;

/** Converts a percentage with at most two decimals to basis points. */
export const basisPoints = (percent: Percent): BasisPoints => Math.round(percent * 100);

/** Returns the amount. Throws a RangeError if it is not a safe integer. */
export function exact(amount: Minor): Minor {
  if (!Number.isSafeInteger(amount)) throw new RangeError(`${amount} is not exact`);
  return amount;
}

/** The exact sum of the amounts. Throws as `exact` does. */
export const sumOf = (parts: readonly { amount: Minor }[]): Minor =>
  parts.reduce((sum, { amount }) => exact(sum + amount), 0);

/**
 * The share of an amount, rounded half away from zero.
 *
 * The amount is divided by 10,000 first, so that no product leaves the safe integers before the result
 * does. Never returns -0. Throws a RangeError if an argument or the result is not a safe integer.
 *
 * Spec: decisions, Charges.
 */
export function share(amount: Minor, points: BasisPoints): Minor {
  // Not `%`, which takes several times as long for numbers that may have a fraction.
  const whole = Math.trunc(amount / WHOLE);
  const rest = amount - whole * WHOLE;
  const restShare = rest * points;
  const result = whole * points + roundedQuotient(restShare, WHOLE);
  const isExact =
    Number.isSafeInteger(amount) &&
    Number.isSafeInteger(points) &&
    Number.isSafeInteger(restShare) &&
    Number.isSafeInteger(result);
  if (!isExact) throw new RangeError(`no exact share of ${amount} at ${points} basis points`);
  return result;
}

/**
 * The percentage of a non-negative amount, limited to 0 to 100 %.
 *
 * For discounts, refunds and amounts due at booking: a percentage above 100 must not make a price
 * negative. Throws as `share` does.
 *
 * Spec: decisions, Charges.
 */
export const percentOf = (amount: Minor, percent: Percent): Minor =>
  share(amount, Math.min(Math.max(basisPoints(percent), 0), WHOLE));

/**
 * Changes an amount by a percentage (-25: a quarter less), never below 0. Throws as `share` does.
 *
 * Spec: the catalog file, A night's price.
 */
export const changedBy = (amount: Minor, percent: Percent): Minor =>
  percent === 0 ? amount : Math.max(0, share(amount, WHOLE + basisPoints(percent)));

/** The same, or null instead of a RangeError. */
export function changedOrNull(amount: Minor, percent: Percent): Minor | null {
  try {
    return changedBy(amount, percent);
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
