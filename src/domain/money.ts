/** Arithmetic on amounts in minor units: integers in, integers out, no float in between. */

import type { BasisPoints, Minor } from './listing.ts';

/** All of an amount, 100 %. */
export const WHOLE: BasisPoints = 10_000;

/**
 * The share of an amount, rounded half away from zero.
 *
 * The amount is split by 10,000 first, so that no product leaves the safe integers before the
 * result does. Never answers -0. Throws a RangeError for anything but safe integers, and when the
 * result is not one.
 *
 * Spec: decisions, Charges.
 */
export function share(amount: Minor, basisPoints: BasisPoints): Minor {
  const rest = amount % WHOLE;
  const whole = (amount - rest) / WHOLE;
  const restShare = rest * basisPoints;
  const result = whole * basisPoints + roundedQuotient(restShare, WHOLE);
  if (![amount, basisPoints, restShare, result].every(Number.isSafeInteger)) {
    throw new RangeError(`no exact share of ${amount} at ${basisPoints} basis points`);
  }
  return result;
}

/**
 * The share of a non-negative amount, kept between nothing and the whole of it.
 *
 * For what is taken off, given back or asked for in advance: a rate card with a share beyond 100 %
 * must not turn a price negative. Throws as `share` does.
 *
 * Spec: decisions, Charges.
 */
export function cappedShare(amount: Minor, basisPoints: BasisPoints): Minor {
  return share(amount, Math.min(Math.max(basisPoints, 0), WHOLE));
}

/** The quotient of an integer by a positive one, rounded half away from zero, never -0. */
function roundedQuotient(numerator: number, denominator: number): number {
  const remainder = numerator % denominator;
  const truncated = (numerator - remainder) / denominator;
  const away = 2 * Math.abs(remainder) >= denominator ? Math.sign(remainder) : 0;
  return truncated + away;
}
