/** `npm run random -- model --count N [--seed S] -- [--path P] [--worker apart|inside|pair] [--environment simulation|test]`: plays N sessions against the model. */
import { parseArgs } from 'node:util';
import { withTemplate } from '../harness/template.ts';
import { damages } from './damage.ts';
import { differencesFile, recordDifference } from './record.ts';
import { playSeeds, seedsFrom, type Failure } from './simulation.ts';
import { workerPlaces } from './test-system.ts';
import { CallCounts } from './call-counts.ts';
import { modelEnvironments } from './world.ts';

const progressEveryMs = 5_000;

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    path: { type: 'string', default: '' },
    worker: { type: 'string' },
    environment: { type: 'string' },
    canary: { type: 'boolean', default: false },
  },
});
const seeds = Number(values.seeds);
const first = Number(values.seed);
const workers = [...workerPlaces, 'pair' as const].filter((place) =>
  values.worker === undefined ? place !== 'pair' : place === values.worker,
);
const environments = modelEnvironments.filter((one) => (values.environment ?? one) === one);

if (
  !(Number.isInteger(seeds) && seeds > 0) ||
  !Number.isInteger(first) ||
  workers.length * environments.length === 0
) {
  console.error(
    'npm run random -- model --count N [--seed S] -- [--path P] [--worker apart|inside|pair] [--environment simulation|test]',
  );
  process.exit(2);
}

const began = performance.now();

function summary({ sessions, calls, atOnce, ambiguous }: CallCounts): string {
  const seconds = (performance.now() - began) / 1_000;
  const rate = (sessions / seconds).toFixed(1);
  return `${sessions} sessions in ${seconds.toFixed(0)} s (${rate}/s), ${calls} calls, ${atOnce} of them at once with others, ${ambiguous} moments not clear at once`;
}

const againWith = ({ seed, workerPlace, environment }: Failure): string =>
  `npm run random -- model --count 1 --seed ${seed} -- --worker ${workerPlace} --environment ${environment}`;

function report(failure: Failure): void {
  const { seed, environment, workerPlace, path, plan, error } = failure;
  console.log(
    `seed ${seed} differs, environment ${environment}, worker ${workerPlace}; the smallest session found:`,
  );
  console.log(JSON.stringify(plan, null, 1));
  console.log(error instanceof Error ? (error.stack ?? error.message) : error);
  console.log(`again: ${againWith(failure)}`);
  console.log(`this one alone: ${againWith(failure)} --path ${path}`);
}

/** The planted defect. */
const planted = {
  environments: ['simulation'] as const,
  damage: damages.simulation['a version that rises by two'],
  isLeftLarge: true,
};

console.log(`seeds ${first} to ${first + seeds - 1}; differences are added to ${differencesFile}`);
const callCounts = new CallCounts();
const progressTimer = setInterval(() => console.log(summary(callCounts)), progressEveryMs);
const failure = await withTemplate((connection) => {
  process.env['LATCHKEY_TEST_POSTGRES'] = JSON.stringify(connection);
  const played = { seeds: seedsFrom(first, seeds), path: values.path, workers, environments };
  if (values.canary) return playSeeds({ ...played, ...planted }, callCounts);
  return playSeeds({ ...played, onDifference: recordDifference }, callCounts);
}).finally(() => clearInterval(progressTimer));
if (failure) report(failure);
else
  for (const [response, count] of [...callCounts.responses].toSorted())
    console.log(`${count} × ${response}`);
console.log(`${failure ? 'DIFFERENT' : 'nothing differs'}: ${summary(callCounts)}`);
process.exit(failure ? 1 : 0);
