/**
 * `npm run simulate-channels -- --attempts N [--seed S]`: counts double sales with and without the read before
 * confirm, for channels that write a sale into their calendar at once, after a minute, and after ten.
 */
import { parseArgs } from 'node:util';
import { allDoubleSales, simulate } from './simulate.ts';

const { values } = parseArgs({
  options: {
    attempts: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
  },
});
const attempts = Number(values.attempts);
const seed = Number(values.seed);
if (!(Number.isInteger(attempts) && attempts > 0) || !Number.isInteger(seed)) {
  console.error('npm run simulate-channels -- --attempts N [--seed S]');
  process.exit(2);
}

const homes = Math.min(1_000, attempts);
console.log(`${attempts} attempts, seed ${seed}`);
for (const writtenAfter of [0, 60, 600]) {
  for (const readsBeforeConfirm of [false, true]) {
    const began = performance.now();
    const figures = simulate({ seed, attempts, homes, readsBeforeConfirm, writtenAfter });
    const seconds = ((performance.now() - began) / 1_000).toFixed(0);
    console.log(
      JSON.stringify({
        writtenAfter,
        readsBeforeConfirm,
        all: allDoubleSales(figures),
        ...figures,
        seconds,
      }),
    );
  }
}
