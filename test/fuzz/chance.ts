import { hash, numbers } from '../../src/simulation/seeded.ts';

/** Random numbers from a seed. */
export interface Chance {
  /** From 0 up to, not including, 1. */
  fraction(): number;
  /** From `min` to `max`, both included. */
  integer(min: number, max: number): number;
  pick<T>(values: readonly T[]): T;
  /** True with this probability. */
  happens(probability: number): boolean;
  bytes(length: number): Buffer;
  /** A random UUID, version 4. */
  uuid(): string;
}

/** Random numbers from a text: the seed and the name of the stream. */
export function chanceOf(seed: string): Chance {
  const next = numbers(hash(seed));
  const integer = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  const bytes = (length: number): Buffer =>
    Buffer.from(Array.from({ length }, () => integer(0, 255)));
  return {
    fraction: next,
    integer,
    pick: (values) => values[integer(0, values.length - 1)]!,
    happens: (probability) => next() < probability,
    bytes,
    uuid() {
      const hex = bytes(16).toString('hex');
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
    },
  };
}
