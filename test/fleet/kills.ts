/** Kills processes of a fleet with -9, and starts them again. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Chance } from '../harness/chance.ts';
import type { Fleet } from './fleet.ts';

const mostWaitMs = 700;

/** Kills these processes one after the other, each at a random moment. */
export async function killAndStart<Name extends string>(
  { members }: Fleet<Name>,
  names: readonly Name[],
  chance: Chance,
): Promise<void> {
  for (const name of names) {
    await sleep(chance.below(mostWaitMs));
    await members[name].kill();
    await sleep(chance.below(mostWaitMs));
    await members[name].start();
  }
}
