/** `npm run random -- payments --count N [--seed S] -- [--trace]`: plays N seeds of the booking path with cards. */
import { parseArgs } from 'node:util';
import { withTemplate } from '../../harness/template.ts';
import { playSeed } from './run.ts';
import { openSharedSystem } from './system.ts';
import { withoutLookups } from './without-lookups.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    trace: { type: 'boolean', default: false },
    canary: { type: 'boolean', default: false },
  },
});
const seeds = Number(values.seeds);
const first = Number(values.seed);
if (!(Number.isInteger(seeds) && seeds > 0) || !Number.isInteger(first)) {
  console.error('npm run random -- payments --count N [--seed S] -- [--trace]');
  process.exit(2);
}

const began = performance.now();
const outcomes = new Map<string, number>();
let wrong = 0;

/** The planted defect, if one is wanted. */
const planted = values.canary ? { change: withoutLookups, stepsAtMost: 3_000 } : undefined;

async function play(): Promise<void> {
  const shared = await openSharedSystem();
  try {
    for (let seed = first; seed < first + seeds; seed += 1) {
      const run = await playSeed(shared, seed, { restores: true, ...planted });
      for (const outcome of run.outcomes) outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      if (values.trace) console.log(run.trace.join('\n'));
      if (run.problems.length === 0) continue;
      wrong += 1;
      console.log(`seed ${seed}: ${run.problems.join('\n  ')}`);
      if (planted) return;
    }
  } finally {
    await shared.drop();
  }
}

console.log(`seeds ${first} to ${first + seeds - 1}`);
await withTemplate((connection) => {
  process.env['LATCHKEY_TEST_POSTGRES'] = JSON.stringify(connection);
  return play();
});
const seconds = ((performance.now() - began) / 1_000).toFixed(0);
console.log(`${seeds} runs in ${seconds} s, ${wrong} wrong`);
console.log(Object.fromEntries([...outcomes].toSorted()));
process.exitCode = wrong === 0 ? 0 : 1;
