/** Random numbers from a seed. */
export interface Chance {
  /** From 0 up to 1. */
  next(): number;
  /** An integer from 0 up to `below`. */
  below(below: number): number;
  /** True with this probability. */
  happens(share: number): boolean;
  pick<T>(of: readonly T[]): T;
}

/** Mulberry32: small, and good enough to choose faults. */
export function chanceOf(seed: number): Chance {
  let state = seed >>> 0;
  function next(): number {
    state = (state + 0x6d_2b_79_f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    next,
    below,
    happens: (share) => next() < share,
    pick(of) {
      if (of.length === 0) throw new Error('nothing to pick from');
      return of[below(of.length)] as (typeof of)[number];
    },
  };
}
