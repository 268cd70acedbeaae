/** Kills processes of a fleet under load, and checks what the clients were told. */
import { setTimeout as sleep } from 'node:timers/promises';
import { chanceOf } from '../faults/random.ts';
import { bookingPartners, settle } from '../faults/test-system.ts';
import type { Fleet, MemberName } from './fleet.ts';

const mostWaitMs = 700;
// Enough that each process has work whenever it is killed.
const guestsAtOnce = 2;

/**
 * Lets partners book while these processes are killed with -9, one after the other, and started again.
 * Returns the broken promises and the number of bookings by their end.
 */
export async function killUnderLoad(
  { origin, members, database }: Fleet,
  names: readonly MemberName[],
  seed: number,
): Promise<{ wrong: string[]; ended: Map<string, number> }> {
  const chance = chanceOf(seed);
  const workload = await bookingPartners(database, origin, seed, guestsAtOnce);
  try {
    for (const name of names) {
      await sleep(chance.below(mostWaitMs));
      await members[name].kill();
      await sleep(chance.below(mostWaitMs));
      await members[name].start();
    }
    return { wrong: await settle(database, workload), ended: workload.ended };
  } finally {
    workload.abandon();
  }
}
