import { allDoubleSales, simulate } from './simulate.ts';

/** What a seed and a number of attempts to book lead to: a line of figures for each kind of channel. */
export function* doubleSales(attempts: number, seed: number): Generator<string> {
  const homes = Math.min(1_000, attempts);
  for (const writtenAfter of [0, 60, 600]) {
    for (const readsBeforeConfirm of [false, true]) {
      const began = performance.now();
      const figures = simulate({ seed, attempts, homes, readsBeforeConfirm, writtenAfter });
      const seconds = ((performance.now() - began) / 1_000).toFixed(0);
      const all = allDoubleSales(figures);
      yield JSON.stringify({ writtenAfter, readsBeforeConfirm, all, ...figures, seconds });
    }
  }
}
