/** `npm run simulate -- --seeds N [--seed S] [--path P] [--worker apart|inside]`: plays N sessions against the model. */
import { parseArgs } from 'node:util';
import { withTemplate } from '../harness/template.ts';
import { differencesFile, recordDifference } from './record.ts';
import { playSeeds, type Failure } from './simulation.ts';
import { workerPlaces } from './test-system.ts';
import { CallCounts } from './call-counts.ts';

const progressEveryMs = 5_000;

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    path: { type: 'string', default: '' },
    worker: { type: 'string' },
  },
});
const seeds = Number(values.seeds);
const first = Number(values.seed);
const workers = workerPlaces.filter((place) => (values.worker ?? place) === place);

if (!(Number.isInteger(seeds) && seeds > 0) || !Number.isInteger(first) || workers.length === 0) {
  console.error('npm run simulate -- --seeds N [--seed S] [--path P] [--worker apart|inside]');
  process.exit(2);
}

const began = performance.now();

function summary({ sessions, calls, atOnce, ambiguous }: CallCounts): string {
  const seconds = (performance.now() - began) / 1_000;
  const rate = (sessions / seconds).toFixed(1);
  return `${sessions} sessions in ${seconds.toFixed(0)} s (${rate}/s), ${calls} calls, ${atOnce} of them at once with others, ${ambiguous} moments not clear at once`;
}

const againWith = (seed: number, workerPlace: string): string =>
  `npm run simulate -- --seeds 1 --seed ${seed} --worker ${workerPlace}`;

function report({ seed, workerPlace, path, plan, error }: Failure): void {
  console.log(`seed ${seed} differs, worker ${workerPlace}; the smallest session found:`);
  console.log(JSON.stringify(plan, null, 1));
  console.log(error instanceof Error ? (error.stack ?? error.message) : error);
  console.log(`again: ${againWith(seed, workerPlace)}`);
  console.log(`this one alone: ${againWith(seed, workerPlace)} --path ${path}`);
}

console.log(`seeds ${first} to ${first + seeds - 1}; differences are added to ${differencesFile}`);
const callCounts = new CallCounts();
const progressTimer = setInterval(() => console.log(summary(callCounts)), progressEveryMs);
const failure = await withTemplate((connection) => {
  process.env['LATCHKEY_TEST_POSTGRES'] = JSON.stringify(connection);
  const played = { first, count: seeds, path: values.path, workers };
  return playSeeds({ ...played, onDifference: recordDifference }, callCounts);
}).finally(() => clearInterval(progressTimer));
if (failure) report(failure);
else
  for (const [response, count] of [...callCounts.responses].toSorted())
    console.log(`${count} × ${response}`);
console.log(`${failure ? 'DIFFERENT' : 'nothing differs'}: ${summary(callCounts)}`);
process.exit(failure ? 1 : 0);
