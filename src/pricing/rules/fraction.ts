/** Exact fractions, for what is rounded only once, at its end. */

import type { Minor } from './listing.ts';
import type { Step } from './money.ts';

/** An integer; a bigint only where a number would not be exact, because a bigint takes ten times as long. */
type Whole = number | bigint;

/** A number that is not negative; `of` is positive. */
export interface Fraction {
  parts: Whole;
  of: Whole;
}

function product(one: Whole, other: Whole): Whole {
  if (typeof one === 'number' && typeof other === 'number') {
    const result = one * other;
    if (Number.isSafeInteger(result)) return result;
  }
  return BigInt(one) * BigInt(other);
}

function sum(one: Whole, other: Whole): Whole {
  if (typeof one === 'number' && typeof other === 'number') {
    const result = one + other;
    if (Number.isSafeInteger(result)) return result;
  }
  return BigInt(one) + BigInt(other);
}

/** Nothing. */
export const nothing: Fraction = { parts: 0, of: 1 };

/** The fraction of two integers. */
export const fraction = (parts: number, of = 1): Fraction => ({ parts, of });

/** The sum of two fractions. */
export function plus(one: Fraction, other: Fraction): Fraction {
  if (one.parts === 0) return other;
  if (one.of === other.of) return { parts: sum(one.parts, other.parts), of: one.of };
  return {
    parts: sum(product(one.parts, other.of), product(other.parts, one.of)),
    of: product(one.of, other.of),
  };
}

/** A fraction times the quotient of two integers. */
export const times = ({ parts, of }: Fraction, factor: number, divisor = 1): Fraction => ({
  parts: product(parts, factor),
  of: product(of, divisor),
});

/** Whether a fraction is less than an integer. */
export const isBelow = ({ parts, of }: Fraction, amount: Minor): boolean =>
  parts < product(of, amount);

/** The whole part of a quotient. A quotient of safe integers that is none is too far from the next to be rounded to it. */
const quotient = (one: Whole, other: Whole): number =>
  typeof one === 'number' && typeof other === 'number'
    ? Math.floor(one / other)
    : Number(BigInt(one) / BigInt(other));

/** The nearest multiple of a step, half away from zero. Throws a RangeError if it is not a safe integer. */
export function rounded({ parts, of }: Fraction, step: Step = 1): Minor {
  const divisor = product(of, step);
  const amount = quotient(sum(product(parts, 2), divisor), product(divisor, 2)) * step;
  if (!Number.isSafeInteger(amount)) throw new RangeError(`${parts} ÷ ${of} is not exact`);
  return amount;
}
