import { hash, numbers } from '../../src/simulation/seeded.ts';

/** Random choices that a seed decides. */
export interface Chance {
  /** From 0 up to, not including, 1. */
  next(): number;
  /** An integer from 0 up to, not including, `limit`. */
  below(limit: number): number;
  /** An integer from `min` to `max`, both included. */
  integer(min: number, max: number): number;
  /** True with this probability. */
  happens(probability: number): boolean;
  pick<T>(values: readonly T[]): T;
  bytes(length: number): Buffer;
  /** A random UUID, version 4. */
  uuid(): string;
}

/** The choices of a seed: a number, or a text with the name of the stream. */
export function chanceOf(seed: number | string): Chance {
  const next = numbers(typeof seed === 'number' ? seed : hash(seed));
  const below = (limit: number): number => Math.floor(next() * limit);
  const integer = (min: number, max: number): number => min + below(max - min + 1);
  const bytes = (length: number): Buffer =>
    Buffer.from(Array.from({ length }, () => integer(0, 255)));
  return {
    next,
    below,
    integer,
    bytes,
    happens: (probability) => next() < probability,
    pick(values) {
      if (values.length === 0) throw new Error('nothing to pick from');
      return values[below(values.length)] as (typeof values)[number];
    },
    uuid() {
      const hex = bytes(16).toString('hex');
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
    },
  };
}
