import type { Random } from '../../../src/simulation/generate/random.ts';

/** A time after a mean, as between events that do not depend on each other. */
export const exponential = (random: Random, mean: number): number =>
  -Math.log(1 - random.next()) * mean;

/** When a channel's server does not answer: begins and ends by turns, in seconds. */
export class Outages {
  readonly #times: number[] = [];
  readonly #random: Random;
  readonly #meanUp: number;
  readonly #meanDown: number;

  constructor(random: Random, meanUp: number, meanDown: number) {
    this.#random = random;
    this.#meanUp = meanUp;
    this.#meanDown = meanDown;
  }

  /** Whether the server is down at a time. */
  isDown(at: number): boolean {
    while ((this.#times.at(-1) ?? 0) <= at) {
      const begin = (this.#times.at(-1) ?? 0) + exponential(this.#random, this.#meanUp);
      this.#times.push(begin, begin + exponential(this.#random, this.#meanDown));
    }
    let low = 0;
    let high = this.#times.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#times[middle]! <= at) low = middle + 1;
      else high = middle;
    }
    return low % 2 === 1;
  }
}
