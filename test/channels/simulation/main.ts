/**
 * `npm run random -- channels --count N [--seed S]`: counts double sales with and without the read before
 * confirm, for channels that write a sale into their calendar at once, after a minute, and after ten.
 */
import { parseArgs } from 'node:util';
import { doubleSales } from './double-sales.ts';
import { allDoubleSales, simulate } from './simulate.ts';

const { values } = parseArgs({
  options: {
    attempts: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    canary: { type: 'boolean', default: false },
  },
});
const attempts = Number(values.attempts);
const seed = Number(values.seed);
if (!(Number.isInteger(attempts) && attempts > 0) || !Number.isInteger(seed)) {
  console.error('npm run random -- channels --count N [--seed S]');
  process.exit(2);
}

console.log(`${attempts} attempts, seed ${seed}`);
for (const line of doubleSales(attempts, seed)) console.log(line);

// With the read before confirm, only what a read cannot show is sold twice where channels write at once.
const mostShare = 1 / 10_000;
const homes = Math.min(1_000, attempts);
// The planted defect: calendars are not read.
const readsBeforeConfirm = !values.canary;
const figures = simulate({ seed, attempts, homes, readsBeforeConfirm, writtenAfter: 0 });
const all = allDoubleSales(figures);
const most = Math.max(1, attempts * mostShare);
console.log(`${all} double sales where channels write at once; at most ${most} are accepted`);
process.exitCode = all > most ? 1 : 0;
