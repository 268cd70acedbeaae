/**
 * `npm run random -- faults --count N --seed S -- [--fleet]`: faults under load for N seconds, checked after each episode.
 * The episodes alternate between the homes of the simulation and the operator's own. `--fleet`: at four processes
 * behind HAProxy. Then other channels sell the same homes, in simulated time: `--sales N` attempts to book, with and
 * without the read before a confirmation.
 */
import { parseArgs } from 'node:util';
import { four } from '../fleet/fleet.ts';
import { noHaproxy } from '../harness/haproxy.ts';
import { doubleSales } from '../channels/simulation/double-sales.ts';
import { noRedis } from '../harness/redis.ts';
import { Figures } from './figures.ts';
import { kinds, type Need } from './kinds.ts';
import { chanceOf } from '../harness/chance.ts';
import { sql } from '../harness/rows.ts';
import { mountSmallDisk, type SmallDisk } from './small-disk.ts';
import {
  faultEnvironments,
  openTestSystem,
  outcomesOf,
  type FaultEnvironment,
  type TestSystem,
} from './test-system.ts';

const diskMegabytes = 1_024;

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '600' },
    kind: { type: 'string', default: '' },
    environment: { type: 'string', default: '' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    fleet: { type: 'boolean', default: false },
    sales: { type: 'string', default: '20000' },
    canary: { type: 'boolean', default: false },
  },
});
const seconds = Number(values.seconds);
const seed = Number(values.seed);
const sales = Number(values.sales);

const environments = faultEnvironments.filter((name) => name.includes(values.environment));
const played = Object.entries(kinds).filter(([name]) => name.includes(values.kind));

/** A system, and the disk of its PostgreSQL; null: none can be mounted. */
interface Opened {
  system: TestSystem;
  disk: SmallDisk | null;
}

/** Opens a system for each environment. */
async function openSystems(opened: Map<FaultEnvironment, Opened>): Promise<void> {
  for (const environment of environments) {
    const disk = await mountSmallDisk(diskMegabytes);
    const system = await openTestSystem({
      environment,
      disk,
      env: { LATCHKEY_LOG_LEVEL: 'error' },
      roles: values.fleet ? four : undefined,
      movesMoney: true,
    });
    opened.set(environment, { system, disk });
  }
}

const meets: Readonly<Record<Need, (environment: FaultEnvironment, opened: Opened) => boolean>> = {
  simulation: (environment) => environment === 'simulation',
  'own homes': (environment) => environment === 'test',
  fleet: () => values.fleet,
  disk: (_, { disk }) => disk !== null,
};

/** The planted defect: an event that no feed shows. */
const loseEvent = ({ database }: TestSystem) =>
  sql(database, 'DELETE FROM events WHERE sequence = 1');

const kindOf = ({ name, environment }: { name: string; environment: FaultEnvironment }) =>
  `${name} (${environment})`;

/** Runs episodes until the time is over or a check fails. Returns the violations. */
async function play(figures: Figures): Promise<string[]> {
  const opened = new Map<FaultEnvironment, Opened>();
  try {
    await openSystems(opened);
    const settings = played.flatMap(([name, { play: faulty, needs, ...how }]) =>
      [...opened]
        .filter(([environment, one]) => !needs || meets[needs](environment, one))
        .map(([environment, { system }]) => ({
          name,
          faulty,
          ...how,
          environment,
          system,
        })),
    );
    if (settings.length === 0) return ['no kind of faults can be played here'];
    let end = performance.now() + seconds * 1_000;
    // An interrupt prints the figures so far and cleans up.
    process.once('SIGINT', () => {
      end = 0;
    });
    for (let episode = 0; performance.now() < end; episode += 1) {
      // Not always from the first: a short run of another seed reaches other kinds.
      const {
        name,
        faulty,
        administered = false,
        allowed,
        after,
        environment,
        system,
      } = settings[(seed + episode) % settings.length]!;
      const workload = await system.workload(seed + episode * 1_000, undefined, { administered });
      const chance = chanceOf(seed + episode);
      const faults = await faulty(system, chance);
      if (values.canary) await loseEvent(system);
      const wrong = await outcomesOf(system.database, workload, allowed);
      if (wrong.length === 0 && after) wrong.push(...(await after(system)));
      const kind = kindOf({ name, environment });
      figures.add(kind, faults, workload);
      const { size } = new Set(workload.history.calls.map(({ resourceId }) => resourceId));
      console.log(`${kind}: ${faults} faults, ${size} resources, ${wrong.length} broken promises`);
      if (wrong.length > 0) {
        return [...wrong, ...system.members.map(({ service }) => service.process.output)];
      }
    }
    const left = settings.map(kindOf).filter((kind) => !figures.faults.has(kind));
    if (left.length > 0) console.log(`not played in this time: ${left.join(', ')}`);
    return [];
  } finally {
    for (const { system, disk } of opened.values()) {
      await system.close();
      await disk?.remove();
    }
  }
}

const missing = values.fleet ? [noHaproxy, noRedis].filter((reason) => reason !== false) : [];
const isMeant =
  seconds > 0 &&
  Number.isInteger(seed) &&
  Number.isInteger(sales) &&
  sales >= 0 &&
  played.length * environments.length > 0;
if (missing.length > 0 || !isMeant) {
  console.error(
    missing.join('\n') ||
      'npm run random -- faults --count N --seed S -- [--kind PART OF A NAME] [--environment NAME] [--fleet] [--sales N]',
  );
  process.exit(2);
}
console.log(`${seconds} seconds of faults, seed ${seed}`);
const figures = new Figures();
const wrong = await play(figures);
console.log(figures.text());
if (sales > 0) {
  console.log(`Double sales of ${sales} attempts to book, seed ${seed}`);
  for (const line of doubleSales(sales, seed)) console.log(line);
}
console.log(wrong.length === 0 ? 'nothing is wrong' : `WRONG\n${wrong.join('\n')}`);
process.exit(wrong.length === 0 ? 0 : 1);
