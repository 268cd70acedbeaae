/**
 * `npm run faults -- --seconds N --seed S`: faults under load for N seconds, checked after each episode. The
 * episodes alternate between the homes of the simulation and the operator's own.
 */
import { parseArgs } from 'node:util';
import { Figures } from './figures.ts';
import { kinds } from './kinds.ts';
import { chanceOf } from './random.ts';
import { openRunFolder, removeRunFolder } from '../harness/run-folder.ts';
import {
  faultEnvironments,
  openTestSystem,
  settle,
  type FaultEnvironment,
  type TestSystem,
} from './test-system.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '600' },
    kind: { type: 'string', default: '' },
    environment: { type: 'string', default: '' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});
const seconds = Number(values.seconds);
const seed = Number(values.seed);

const played = Object.entries(kinds).filter(([name]) => name.includes(values.kind));
const environments = faultEnvironments.filter((name) => name.includes(values.environment));
const settings = played.flatMap(([name, { play: faulty, needsSimulation }]) =>
  environments
    .filter((environment) => !needsSimulation || environment === 'simulation')
    .map((environment) => ({ name, faulty, environment })),
);

/** Runs episodes until the time is over or a check fails. Returns the violations. */
async function play(figures: Figures): Promise<string[]> {
  const systems = new Map<FaultEnvironment, TestSystem>();
  let end = performance.now() + seconds * 1_000;
  // An interrupt prints the figures so far and cleans up.
  process.once('SIGINT', () => {
    end = 0;
  });
  try {
    for (let episode = 0; performance.now() < end; episode += 1) {
      const { name, faulty, environment } = settings[episode % settings.length]!;
      const system =
        systems.get(environment) ??
        (await openTestSystem({ environment, env: { LATCHKEY_LOG_LEVEL: 'error' } }));
      systems.set(environment, system);
      const workload = await system.workload(seed + episode * 1_000);
      const faults = await faulty(system, chanceOf(seed + episode));
      const wrong = await settle(system.database, workload);
      const kind = `${name} (${environment})`;
      figures.add(kind, faults, workload);
      const { size } = new Set(workload.history.calls.map(({ resourceId }) => resourceId));
      console.log(`${kind}: ${faults} faults, ${size} resources, ${wrong.length} broken promises`);
      if (wrong.length > 0) return [...wrong, system.service.process.output];
    }
    return [];
  } finally {
    for (const system of systems.values()) await system.close();
  }
}

if (!(seconds > 0) || !Number.isInteger(seed) || settings.length === 0) {
  console.error(
    'npm run faults -- --seconds N --seed S [--kind PART OF A NAME] [--environment NAME]',
  );
  process.exit(2);
}
console.log(`${seconds} seconds of faults, seed ${seed}`);
const figures = new Figures();
openRunFolder();
const wrong = await play(figures).finally(removeRunFolder);
console.log(figures.text());
console.log(wrong.length === 0 ? 'nothing is wrong' : `WRONG\n${wrong.join('\n')}`);
process.exit(wrong.length === 0 ? 0 : 1);
