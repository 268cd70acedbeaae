import type { EpochMs } from '../domain/booking.ts';
import type { Context } from './context.ts';

/**
 * Decides what depends on the time. What this process's clock would refuse is decided again by the
 * database's: a refusal pays for the question, a success does not.
 */
export async function decideInTime<T>(
  { now, askTime }: Pick<Context, 'now' | 'askTime'>,
  decide: (now: EpochMs) => T | Promise<T>,
  isRefused: (decided: T) => boolean,
): Promise<T> {
  const decided = await decide(now());
  return isRefused(decided) ? decide(await askTime()) : decided;
}
