/** The kinds of faults of the long run. Everything runs again after each. */
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../harness/eventually.ts';
import { type MovableClock, movableClockBy } from '../harness/moved-clock.ts';
import { sql } from '../harness/rows.ts';
import { asSuperuser } from '../harness/standby.ts';
import { believed } from '../../src/platform/clock.ts';
import type { FileStorage } from '../../src/platform/file-storage/file-storage.ts';
import { startBackgroundTasks } from '../../src/program/background-tasks.ts';
import { failpoints } from './failpoints.ts';
import { fillDisk } from './full-disk.ts';
import type { Chance } from '../harness/chance.ts';
import type { Member, TestSystem } from './test-system.ts';
import { keepForLater, putBack } from './put-back.ts';
import type { TcpProxy } from './tcp-proxy.ts';
import { allWrites, WriteCuts } from './write-cuts.ts';

/** Injects faults into a system under load and returns their number. */
type Play = (system: TestSystem, chance: Chance) => Promise<number>;

const timesEach = 12;
const reachedWithinMs = 6_000;
const diskFullMs = 4_000;
// A worker holds what it has claimed for 15 seconds.
const longerThanLeaseMs = 17_000;

async function killService({ members }: TestSystem, chance: Chance): Promise<number> {
  for (let kill = 0; kill < timesEach; kill += 1) {
    const { service } = chance.pick(members);
    await sleep(chance.below(1_000));
    await service.kill();
    await service.start();
  }
  return timesEach;
}

const ofWorkers = /claim|attempt|postpone|materialize/;

/** A process that executes the statement. */
function executorOf(statement: string, { members }: TestSystem, chance: Chance): Member {
  const role = ofWorkers.test(statement) ? 'worker' : 'api';
  return chance.pick(members.filter(({ roles }) => roles.includes(role)));
}

async function reachFailpoints(system: TestSystem, chance: Chance): Promise<number> {
  for (let reached = 0; reached < timesEach; reached += 1) {
    const [side, statement] = chance.pick(failpoints).split(':');
    const { service } = executorOf(statement!, system, chance);
    const failpoint = `${side}:${statement}:${1 + chance.below(12)}`;
    await service.kill();
    await service.begin({ LATCHKEY_FAILPOINT: failpoint });
    await Promise.race([service.process.ended, sleep(reachedWithinMs)]);
    await service.end();
    await service.start();
  }
  return timesEach;
}

async function killPostgres({ postgres }: TestSystem, chance: Chance): Promise<number> {
  for (let kill = 0; kill < timesEach; kill += 1) {
    await sleep(chance.below(1_200));
    await postgres.kill();
    await sleep(chance.below(300));
    await postgres.restart();
  }
  return timesEach;
}

async function killBoth({ postgres, members }: TestSystem, chance: Chance): Promise<number> {
  for (let kill = 0; kill < timesEach / 2; kill += 1) {
    const { service } = chance.pick(members);
    await sleep(chance.below(1_000));
    await Promise.all([postgres.kill(), service.kill()]);
    await postgres.restart();
    await service.start();
  }
  return timesEach;
}

/** The ways in which the network fails temporarily. */
const networkFaults: readonly ((proxy: TcpProxy, chance: Chance) => void)[] = [
  (proxy) => proxy.cut(),
  (proxy) => proxy.refuse(),
  (proxy) => proxy.hold(),
  (proxy) => proxy.forget(),
  (proxy, chance) => {
    proxy.delayMs = chance.below(300);
  },
];

const responsesToLose = [
  'transition-booking',
  'insert-booking',
  'insert-quote',
  'claim-bookings',
  'hold-nights',
] as const;

/** The network of one process, or of all. */
async function troubleNetwork({ members }: TestSystem, chance: Chance): Promise<number> {
  for (let fault = 0; fault < timesEach; fault += 1) {
    const troubled = chance.happens(0.5) ? members : [chance.pick(members)];
    await sleep(chance.below(600));
    for (const { proxy } of troubled) chance.pick(networkFaults)(proxy, chance);
    await sleep(chance.below(1_500));
    for (const { proxy } of troubled) proxy.restore();
  }
  return timesEach;
}

async function loseResponses(system: TestSystem, chance: Chance): Promise<number> {
  for (let time = 0; time < timesEach * 2; time += 1) {
    const statement = chance.pick(responsesToLose);
    const { proxy } = executorOf(statement, system, chance);
    await sleep(chance.below(200));
    await Promise.race([proxy.loseResponseTo(statement), sleep(2_000)]);
  }
  return timesEach * 2;
}

async function fillAndFree(system: TestSystem): Promise<number> {
  await fillDisk(system, diskFullMs);
  return 1;
}

const hangsEach = 6;
// Longer than a statement may take.
const longestHangMs = 5_000;

async function hangPostgres({ postgres }: TestSystem, chance: Chance): Promise<number> {
  for (let hang = 0; hang < hangsEach; hang += 1) {
    await sleep(chance.below(1_000));
    await postgres.hang();
    await sleep(chance.below(longestHangMs));
    await postgres.goOn();
  }
  return hangsEach;
}

const jumps = ['61 days', '-1 day', '400 days', '-400 days', '2 minutes'] as const;
// An event that was written in the quarter of a second before the jump was noticed has the wrong time.
const ofWrongTimes = /are not in the order of their times$/;
const clocks = new WeakMap<TestSystem, MovableClock>();

/** The clock of a system. Processes that run keep the right one in their prepared statements, so they start again. */
async function clockOf(system: TestSystem): Promise<MovableClock> {
  const known = clocks.get(system);
  if (known) return known;
  const clock = await movableClockBy((text) => asSuperuser(system.postgres, text));
  clocks.set(system, clock);
  for (const { service } of system.members) {
    await service.kill();
    await service.start();
  }
  return clock;
}

const isHeld = async ({ database }: TestSystem): Promise<boolean> => {
  const [row] = await sql<{ held: boolean }>(
    database,
    'SELECT held_since IS NOT NULL AS held FROM clock',
  );
  return row!.held;
};

// Longer than a statement may take: what began with the wrong clock is committed before the clock is believed.
const longestStatementMs = 4_000;

/** The clock is right again, for a minute that passes at once. */
async function believeAgain(system: TestSystem): Promise<void> {
  await sleep(longestStatementMs);
  await eventually(async () => {
    await sql(
      system.database,
      `UPDATE clock SET near_since = near_since - interval '1 minute' WHERE near_since IS NOT NULL`,
    );
    return !(await isHeld(system));
  }, 60_000);
}

async function moveClock(system: TestSystem, chance: Chance): Promise<number> {
  const clock = await clockOf(system);
  for (const jump of jumps) {
    await sleep(chance.below(1_000));
    await clock.move(jump);
    await eventually(() => isHeld(system), 60_000);
    await sleep(chance.below(3_000));
    await clock.move('0');
    await believeAgain(system);
  }
  return jumps.length;
}

/** Which statements that write were cut, and which not. */
function reportOf({ whole, left }: WriteCuts): string[] {
  const came = new Set([...whole, ...left]);
  const all = allWrites();
  const others = all.filter((name) => !came.has(name));
  return [
    `${whole.length} of ${came.size} statements that write were cut before and after`,
    `cut before and after: ${whole.toSorted().join(', ')}`,
    `came too seldom: ${left.toSorted().join(', ') || 'none'}`,
    `${others.length} of ${all.length} in statements.sql did not come: ${others.join(', ')}`,
  ];
}

const cuttingMs = 75_000;
const withoutCutMs = 3_000;
const inVainAtMost = 4;

/** The cuts of all episodes of a system. */
const cutsOf = new WeakMap<TestSystem, WriteCuts>();

/** Waits as long as something is cut in each few seconds. */
async function cutOn(cuts: WriteCuts, end: number): Promise<void> {
  for (let known = -1; known < cuts.count && performance.now() < end;) {
    known = cuts.count;
    await sleep(withoutCutMs);
  }
}

// A copy leaves the files alone.
const noFiles: FileStorage = {
  write: () => Promise.resolve(),
  read: () => Promise.resolve(null),
  remove: () => Promise.resolve(),
  removeParts: () => Promise.resolve(),
};
const tasksMs = 400;

/** Runs all background tasks at once and again: a process runs some once in an hour. */
async function runTasks({ ofStaff }: TestSystem, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const tasks = startBackgroundTasks({
      database: ofStaff,
      clock: believed,
      pictures: noFiles,
      isCopy: true,
      log: { warn: () => undefined },
      phase: 0,
    });
    await sleep(tasksMs);
    await tasks.stop();
  }
}

/** Cuts before and after each statement that writes. What a process does only at its start needs starts. */
async function cutWrites(system: TestSystem, chance: Chance): Promise<number> {
  const cuts = cutsOf.getOrInsertComputed(system, () => new WriteCuts());
  const first = cuts.count;
  const end = performance.now() + cuttingMs;
  let isOver = false;
  for (const proxy of system.networks) proxy.cuts = cuts;
  const tasks = runTasks(system, () => isOver);
  let inVain = 0;
  while (inVain < inVainAtMost && performance.now() < end) {
    const before = cuts.count;
    await cutOn(cuts, end);
    const { service } = chance.pick(system.members);
    await service.kill();
    await service.startAnyhow();
    await cutOn(cuts, end);
    inVain = cuts.count > before ? 0 : inVain + 1;
  }
  isOver = true;
  await tasks;
  for (const proxy of system.networks) proxy.cuts = null;
  for (const line of reportOf(cuts)) console.log(line);
  return cuts.count - first;
}

async function loseRedis({ redis }: TestSystem, chance: Chance): Promise<number> {
  for (let fault = 0; fault < timesEach / 2; fault += 1) {
    await sleep(chance.below(600));
    redis!.pause();
    await sleep(chance.below(1_500));
    redis!.resume();
    await sleep(chance.below(600));
    await redis!.stop();
    await sleep(chance.below(1_500));
    await redis!.start();
  }
  return timesEach;
}

/** Its bookings go to another worker, and then it goes on with what it has read before. */
async function pauseWorker({ members }: TestSystem, chance: Chance): Promise<number> {
  const { service } = chance.pick(members.filter(({ roles }) => roles === 'worker'));
  await sleep(chance.below(600));
  service.process.kill('SIGSTOP');
  await sleep(longerThanLeaseMs);
  service.process.kill('SIGCONT');
  return 1;
}

/** What a system must have for some faults: failpoints, several processes, a small disk. */
export type Need = 'simulation' | 'own homes' | 'fleet' | 'disk';

/** A kind of faults. */
interface Kind {
  play: Play;
  needs?: Need;
  /** Somebody administers the installation meanwhile. */
  administered?: boolean;
  /** Violations that it may cause, by their texts. */
  allowed?: RegExp;
  /** What follows when the episode is over. Returns the violations. */
  after?: (system: TestSystem) => Promise<string[]>;
}

export const kinds: Readonly<Record<string, Kind>> = {
  'service killed at any moment': { play: killService },
  'service killed between two steps': { play: reachFailpoints, needs: 'simulation' },
  'PostgreSQL killed': { play: killPostgres },
  'both killed': { play: killBoth },
  'network cut, silent or slow': { play: troubleNetwork },
  'response lost after the commit': { play: loseResponses },
  'cut before or after a write of any kind': { play: cutWrites, administered: true },
  'PostgreSQL hangs and lives': { play: hangPostgres },
  "PostgreSQL's clock moved": { play: moveClock, allowed: ofWrongTimes },
  'database put back under running processes': {
    play: keepForLater,
    needs: 'own homes',
    after: putBack,
  },
  'disk full': { play: fillAndFree, needs: 'disk' },
  'Redis paused and killed': { play: loseRedis, needs: 'fleet' },
  'worker paused for longer than its lease': { play: pauseWorker, needs: 'fleet' },
};
