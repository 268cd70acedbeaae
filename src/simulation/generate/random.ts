/** Pseudo-random choices that depend only on a seed. */
import { numbers } from '../seeded.ts';

/** A source of choices. */
export interface Random {
  /** From 0 to below 1. */
  next(): number;
  /** An integer from `min` to `max`, both included. */
  integer(min: number, max: number): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  /** Some of the items, in their order; each with this probability. */
  some<T>(items: readonly T[], probability: number): T[];
}

/** Mixes numbers to one that looks random (murmur3's finalizer). */
function mixed(...parts: readonly number[]): number {
  let hash = 0x9e3779b9;
  for (const part of parts) {
    hash = Math.imul(hash ^ part, 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    hash ^= hash >>> 16;
  }
  return hash >>> 0;
}

/** Creates a source; the same numbers give the same choices */
export function createRandom(...seeds: readonly number[]): Random {
  const next = numbers(mixed(...seeds));
  const integer = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
  return {
    next,
    integer,
    chance: (probability) => next() < probability,
    pick: (items) => items[integer(0, items.length - 1)]!,
    some: (items, probability) => items.filter(() => next() < probability),
  };
}
