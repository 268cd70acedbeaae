import { late, withinTime } from '../../platform/sleeper.ts';

/** The call may or may not have had an effect: look up the result before you repeat the call. */
export interface UnknownAnswer {
  outcome: 'unknown';
}

/**
 * The answer of a supplier or a card provider: `done`, with its result; `refused`, without an effect; or
 * `unknown`. An exception counts as a crash: the booking is retried when the lease ends.
 */
export type PortAnswer<Done extends object, Reason extends string = never> =
  | ({ outcome: 'done' } & Done)
  | (Reason extends never ? never : { outcome: 'refused'; reason: Reason })
  | UnknownAnswer;

const unknown: UnknownAnswer = { outcome: 'unknown' };

/**
 * Calls a port with a deadline in milliseconds. At the deadline the signal is aborted and the answer is
 * `unknown`, whether or not the port reacts to the signal. Without time left the port is not called.
 */
export async function askPort<Answer>(
  deadlineMs: number,
  ask: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer | UnknownAnswer> {
  if (deadlineMs <= 0) return unknown;
  const ending = new AbortController();
  const asking = Promise.try(ask, ending.signal);
  const answer = await withinTime(deadlineMs, asking, () => ending.abort());
  return answer === late ? unknown : answer;
}

/** Calls a port once, with a deadline. */
export type Ask = <Answer>(
  ask: (signal: AbortSignal) => Promise<Answer>,
) => Promise<Answer | UnknownAnswer>;

/** All port calls of one step share this time, in milliseconds; each call gets at most half of it. */
export function askWithin(allMs: number): Ask {
  const end = performance.now() + allMs;
  return (ask) => askPort(Math.min(allMs / 2, end - performance.now()), ask);
}
