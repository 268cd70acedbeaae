/** The kinds of faults of the long run. Everything runs again after each. */
import { setTimeout as sleep } from 'node:timers/promises';
import { failpoints } from './failpoints.ts';
import type { Chance } from './random.ts';
import type { TestSystem } from './test-system.ts';
import type { TcpProxy } from './tcp-proxy.ts';

/** Injects faults into a system under load and returns their number. */
type Play = (system: TestSystem, chance: Chance) => Promise<number>;

const timesEach = 12;
const reachedWithinMs = 6_000;

async function killService({ service }: TestSystem, chance: Chance): Promise<number> {
  for (let kill = 0; kill < timesEach; kill += 1) {
    await sleep(chance.below(1_000));
    await service.kill();
    await service.start();
  }
  return timesEach;
}

async function reachFailpoints({ service }: TestSystem, chance: Chance): Promise<number> {
  await service.kill();
  for (let reached = 0; reached < timesEach; reached += 1) {
    const [side, statement] = chance.pick(failpoints).split(':');
    const failpoint = `${side}:${statement}:${1 + chance.below(12)}`;
    await service.begin({ LATCHKEY_FAILPOINT: failpoint });
    await Promise.race([service.process.ended, sleep(reachedWithinMs)]);
    await service.end();
  }
  await service.start();
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

async function killBoth({ postgres, service }: TestSystem, chance: Chance): Promise<number> {
  for (let kill = 0; kill < timesEach / 2; kill += 1) {
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
  'move-booking',
  'insert-booking',
  'insert-quote',
  'claim-bookings',
  'hold-nights',
] as const;

async function troubleNetwork({ proxy }: TestSystem, chance: Chance): Promise<number> {
  for (let fault = 0; fault < timesEach; fault += 1) {
    await sleep(chance.below(600));
    chance.pick(networkFaults)(proxy, chance);
    await sleep(chance.below(1_500));
    proxy.restore();
  }
  return timesEach;
}

async function loseResponses({ proxy }: TestSystem, chance: Chance): Promise<number> {
  for (let time = 0; time < timesEach * 2; time += 1) {
    await sleep(chance.below(200));
    await Promise.race([proxy.loseResponseTo(chance.pick(responsesToLose)), sleep(2_000)]);
  }
  return timesEach * 2;
}

/** A kind of faults. */
interface Kind {
  play: Play;
  /** Only the simulation has failpoints. */
  needsSimulation?: true;
}

export const kinds: Readonly<Record<string, Kind>> = {
  'service killed at any moment': { play: killService },
  'service killed between two steps': { play: reachFailpoints, needsSimulation: true },
  'PostgreSQL killed': { play: killPostgres },
  'both killed': { play: killBoth },
  'network cut, silent or slow': { play: troubleNetwork },
  'response lost after the commit': { play: loseResponses },
};
