import type { EpochMs } from '../contract/time.ts';
import { type InventoryContext } from './context.ts';

/**
 * Decides with the time of this process. A refusal is decided again with the database's time, so only
 * refusals cost a query.
 */
export async function decideInTime<T>(
  { now, askTime }: Pick<InventoryContext, 'now' | 'askTime'>,
  decide: (now: EpochMs) => T | Promise<T>,
  isRefused: (decided: T) => boolean,
): Promise<T> {
  const decided = await decide(now());
  return isRefused(decided) ? decide(await askTime()) : decided;
}
