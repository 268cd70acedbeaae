/** Exact fractions, for what is rounded only once, at its end. */

import type { Minor } from './listing.ts';
import type { Step } from './money.ts';

/** A number that is not negative; `of` is positive. */
export interface Fraction {
  parts: bigint;
  of: bigint;
}

/** Nothing. */
export const nothing: Fraction = { parts: 0n, of: 1n };

/** The fraction of two integers. */
export const fraction = (parts: number, of = 1): Fraction => ({
  parts: BigInt(parts),
  of: BigInt(of),
});

/** The sum of two fractions. */
export const plus = (one: Fraction, other: Fraction): Fraction =>
  one.of === other.of
    ? { parts: one.parts + other.parts, of: one.of }
    : { parts: one.parts * other.of + other.parts * one.of, of: one.of * other.of };

/** A fraction times the quotient of two integers. */
export const times = ({ parts, of }: Fraction, factor: number, divisor = 1): Fraction => ({
  parts: parts * BigInt(factor),
  of: of * BigInt(divisor),
});

/** Whether a fraction is less than an integer. */
export const isBelow = ({ parts, of }: Fraction, amount: Minor): boolean =>
  parts < BigInt(amount) * of;

/** The nearest multiple of a step, half away from zero. Throws a RangeError if it is not a safe integer. */
export function rounded({ parts, of }: Fraction, step: Step = 1): Minor {
  const divisor = of * BigInt(step);
  const amount = Number((2n * parts + divisor) / (2n * divisor)) * step;
  if (!Number.isSafeInteger(amount)) throw new RangeError(`${parts} ÷ ${of} is not exact`);
  return amount;
}
