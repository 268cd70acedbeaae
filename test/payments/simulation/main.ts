/**
 * `npm run random -- payments --count N [--seed S] -- [--trace] [--later]`: plays N seeds of the booking path with
 * cards. `--later`: with the days after the booking of each seed, not only of every twentieth.
 */
import { parseArgs } from 'node:util';
import { withTemplate } from '../../harness/template.ts';
import { plantedDefects } from './planted-defects.ts';
import { playSeed, type PlaySettings } from './run.ts';
import { openSharedSystem } from './system.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    trace: { type: 'boolean', default: false },
    later: { type: 'boolean', default: false },
    canary: { type: 'boolean', default: false },
  },
});
const seeds = Number(values.seeds);
const first = Number(values.seed);
if (!(Number.isInteger(seeds) && seeds > 0) || !Number.isInteger(first)) {
  console.error('npm run random -- payments --count N [--seed S] -- [--trace] [--later]');
  process.exit(2);
}

const began = performance.now();
const outcomes = new Map<string, number>();
let wrong = 0;
let missed = 0;

const always = values.later ? { isLater: true } : {};

/** Plays the seeds on a database of their own. With a planted defect, until it is found. */
async function playSeeds(defect: PlaySettings | null): Promise<boolean> {
  const shared = await openSharedSystem();
  try {
    for (let seed = first; seed < first + seeds; seed += 1) {
      const run = await playSeed(shared, seed, { restores: true, ...always, ...defect });
      for (const outcome of run.outcomes) outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      if (values.trace) console.log(run.trace.join('\n'));
      // A long run says how far it is.
      if (seed > first && (seed - first) % 250 === 0) console.log(`before ${seed}: ${wrong} wrong`);
      if (run.problems.length === 0) continue;
      wrong += 1;
      console.log(`seed ${seed}: ${[...new Set(run.problems)].join('\n  ')}`);
      if (defect) return true;
    }
    return false;
  } finally {
    await shared.drop();
  }
}

async function playDefects(): Promise<void> {
  for (const [name, defect] of Object.entries(plantedDefects)) {
    console.log(`planted: ${name}`);
    if (await playSeeds(defect)) continue;
    missed += 1;
    console.log(`not found in ${seeds} seeds: ${name}`);
  }
}

console.log(`seeds ${first} to ${first + seeds - 1}`);
await withTemplate(async (connection) => {
  process.env['LATCHKEY_TEST_POSTGRES'] = JSON.stringify(connection);
  await (values.canary ? playDefects() : playSeeds(null));
});
const seconds = ((performance.now() - began) / 1_000).toFixed(0);
console.log(`${seeds} runs in ${seconds} s, ${wrong} wrong`);
console.log(Object.fromEntries([...outcomes].toSorted()));
// A planted defect that is not found ends as a run without findings does.
process.exitCode = wrong === 0 || missed > 0 ? 0 : 1;
