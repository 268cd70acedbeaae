import { hash, numbers } from '../seeded.ts';

/** The choices of one drawing: the same text makes the same choices, in the same order. */
export interface Chance {
  between(low: number, high: number): number;
  pick<const Options extends readonly [unknown, ...unknown[]]>(options: Options): Options[number];
  often(share: number): boolean;
}

/** Choices that follow from a text. */
export function chanceOf(text: string): Chance {
  const next = numbers(hash(text));
  return {
    between: (low, high) => low + (high - low) * next(),
    pick: (options) => options[Math.floor(next() * options.length)],
    often: (share) => next() < share,
  };
}
