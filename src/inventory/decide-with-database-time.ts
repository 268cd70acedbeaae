import { after, type MaybePromise } from '../api/maybe-promise.ts';
import type { EpochMs } from '../contract/time.ts';
import type { InventoryContext } from './context.ts';

/**
 * Decides with the time of this process. A refusal is decided again with the database's time, so only
 * refusals cost a query.
 */
export const decideInTime = <T>(
  { now, askTime }: Pick<InventoryContext, 'now' | 'askTime'>,
  decide: (now: EpochMs) => MaybePromise<T>,
  isRefused: (decided: T) => boolean,
): MaybePromise<T> =>
  after(decide(now()), (decided) => (isRefused(decided) ? askTime().then(decide) : decided));
