import type { EpochMs } from '../contract/time.ts';
import { type InventoryContext } from './context.ts';

/**
 * Decides what depends on the time. What this process's clock would refuse is decided again by the
 * database's: a refusal pays for the question, a success does not.
 */
export async function decideInTime<T>(
  { now, askTime }: Pick<InventoryContext, 'now' | 'askTime'>,
  decide: (now: EpochMs) => T | Promise<T>,
  isRefused: (decided: T) => boolean,
): Promise<T> {
  const decided = await decide(now());
  return isRefused(decided) ? decide(await askTime()) : decided;
}
