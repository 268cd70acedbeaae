/**
 * `npm run random -- payments --count N [--seed S] -- [--trace] [--later] [--only TEXT]`: plays N seeds of the booking
 * path with cards. `--later`: with the days after the booking of each seed, not only of every twentieth. `--only`: the
 * planted defects whose names have this text.
 */
import { parseArgs } from 'node:util';
import { sql } from '../../harness/rows.ts';
import { withTemplate } from '../../harness/template.ts';
import { plantedDefects, type PlantedDefect } from './planted-defects.ts';
import { playSeed } from './run.ts';
import { openSharedSystem } from './system.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    trace: { type: 'boolean', default: false },
    later: { type: 'boolean', default: false },
    canary: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
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
async function playSeeds(defect: PlantedDefect | null): Promise<boolean> {
  let shared = await openSharedSystem();
  if (defect?.damage) await sql(shared.database, defect.damage);
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
      // What a wrong run has left must not disturb the next.
      await shared.drop();
      shared = await openSharedSystem();
    }
    return false;
  } finally {
    await shared.drop();
  }
}

async function playDefects(): Promise<void> {
  for (const [name, defect] of Object.entries(plantedDefects)) {
    if (!name.includes(values.only)) continue;
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
