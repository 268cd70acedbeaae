/**
 * Compares prices, schedules and refunds of many random homes and stays with the second implementation:
 * `npm run random -- prices --count 1000000 --seed 1`. A difference is printed with its number.
 */
import { parseArgs } from 'node:util';
import { compareStay, type ChangePrice } from './compare-stay.ts';

const { values } = parseArgs({
  options: {
    stays: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    canary: { type: 'boolean', default: false },
  },
});
const [stays, first] = [Number(values.stays), Number(values.seed)];
if (!Number.isSafeInteger(stays) || !Number.isSafeInteger(first) || stays < 1) {
  console.error('--stays and --seed are whole numbers');
  process.exit(2);
}

/** The planted defect: the smallest unit too much. */
const dearer: ChangePrice = (charges) => charges && { ...charges, total: charges.total + 1 };
const change = values.canary ? dearer : undefined;

const shownEvery = 100_000;
let homes = 0;
let prices = 0;
for (let seed = first; seed < first + stays; seed += 1) {
  const compared = compareStay(seed, change);
  if (compared !== 'refused') homes += 1;
  if (compared === 'priced') prices += 1;
  if ((seed - first + 1) % shownEvery === 0) console.log(`${seed - first + 1} compared`);
}
console.log(
  `${stays} random homes and stays from ${first} on: ${homes} homes were taken, ${prices} stays have the same price in both.`,
);
