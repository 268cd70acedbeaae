/**
 * `npm run simulate-channels -- --attempts N [--seed S]`: counts double sales with and without the read before
 * confirm, for channels that write a sale into their calendar at once, after a minute, and after ten.
 */
import { parseArgs } from 'node:util';
import { doubleSales } from './double-sales.ts';

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

console.log(`${attempts} attempts, seed ${seed}`);
for (const line of doubleSales(attempts, seed)) console.log(line);
