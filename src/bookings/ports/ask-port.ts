/** Nobody knows whether it was done: it is looked up before it is asked for again. */
export interface UnknownAnswer {
  outcome: 'unknown';
}

/**
 * What a supplier or a card provider answers: `done`, with what there is to say about it; `refused`,
 * nothing was done; or `unknown`. What a port throws counts as a crash: the end of the lease decides.
 */
export type PortAnswer<Done extends object, Reason extends string = never> =
  | ({ outcome: 'done' } & Done)
  | (Reason extends never ? never : { outcome: 'refused'; reason: Reason })
  | UnknownAnswer;

const unknown: UnknownAnswer = { outcome: 'unknown' };

/**
 * Asks a port, for so many milliseconds at most. Then the signal is aborted and the answer is
 * `unknown`, whether the port heeds the signal or never answers. Without time left it is not asked.
 */
export async function askPort<Answer>(
  deadlineMs: number,
  ask: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer | UnknownAnswer> {
  if (deadlineMs <= 0) return unknown;
  const ending = new AbortController();
  const late = Promise.withResolvers<UnknownAnswer>();
  const timer = setTimeout(() => {
    late.resolve(unknown);
    ending.abort();
  }, deadlineMs);
  const answer = Promise.try(ask, ending.signal);
  try {
    return await Promise.race([answer, late.promise]);
  } finally {
    clearTimeout(timer);
    // Nobody waits for what comes after the deadline, a failure included.
    answer.catch(() => undefined);
  }
}
