/** `npm run simulate -- --seeds N [--seed S] [--path P]`: sessions of any number against the model. */
import { parseArgs } from 'node:util';
import { withTemplate } from '../harness/template.ts';
import { playSeeds, type Failure } from './simulation.ts';
import { Tally } from './tally.ts';

const progressEveryMs = 5_000;

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    path: { type: 'string', default: '' },
  },
});
const seeds = Number(values.seeds);
const first = Number(values.seed);

if (!(Number.isInteger(seeds) && seeds > 0) || !Number.isInteger(first)) {
  console.error('npm run simulate -- --seeds N [--seed S] [--path P]');
  process.exit(2);
}

const began = performance.now();

function summary({ sessions, calls, atOnce, ambiguous }: Tally): string {
  const seconds = (performance.now() - began) / 1_000;
  const rate = (sessions / seconds).toFixed(1);
  return `${sessions} sessions in ${seconds.toFixed(0)} s (${rate}/s), ${calls} calls, ${atOnce} of them at once with others, ${ambiguous} moments not clear at once`;
}

function report({ seed, path, plan, error }: Failure): void {
  console.log(`seed ${seed} differs; the smallest session found:`);
  console.log(JSON.stringify(plan, null, 1));
  console.log(error instanceof Error ? (error.stack ?? error.message) : error);
  console.log(`again: npm run simulate -- --seeds 1 --seed ${seed}`);
  console.log(`this one alone: npm run simulate -- --seeds 1 --seed ${seed} --path ${path}`);
}

console.log(`seeds ${first} to ${first + seeds - 1}`);
const tally = new Tally();
const told = setInterval(() => console.log(summary(tally)), progressEveryMs);
const failure = await withTemplate((connection) => {
  process.env['LATCHKEY_TEST_POSTGRES'] = JSON.stringify(connection);
  return playSeeds({ first, count: seeds, path: values.path }, tally);
}).finally(() => clearInterval(told));
if (failure) report(failure);
else
  for (const [answer, count] of [...tally.answers].toSorted()) console.log(`${count} × ${answer}`);
console.log(`${failure ? 'DIFFERENT' : 'nothing differs'}: ${summary(tally)}`);
process.exit(failure ? 1 : 0);
