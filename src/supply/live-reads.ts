import { setImmediate as nextTurn } from 'node:timers/promises';
import { refuse, type Refusal } from '../contract/errors.ts';
import { limits } from '../contract/limits.ts';
import { remainingMs } from '../db/deadline.ts';

/** Runs live reads: a bounded number at once, each with a deadline. Spec: Quotas, rule 5; Limits. */
export type LiveReads = <T>(read: () => Promise<T>) => Promise<T | Refusal<'unavailable'>>;

const busy = (): Refusal<'unavailable'> => ({ ...refuse('unavailable'), retryAfterSeconds: 1 });

/** When all places are taken, a read is refused rather than queued. */
export function createLiveReads(
  atOnce: number,
  deadlineMs: number = limits.liveReadSeconds * 1000,
): LiveReads {
  let underWay = 0;
  return async (read) => {
    // Many that come in one turn of the loop may be over by the next: they are not many at once.
    if (underWay >= atOnce) await nextTurn();
    if (underWay >= atOnce) return busy();
    underWay += 1;
    // The place is held until the read really ends: a supply that hangs is not asked ever more.
    const reading = Promise.try(read).finally(() => {
      underWay -= 1;
    });
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise<Refusal<'unavailable'>>((resolve) => {
      timer = setTimeout(() => resolve(busy()), Math.min(deadlineMs, remainingMs()));
    });
    try {
      return await Promise.race([reading, deadline]);
    } finally {
      clearTimeout(timer);
      // What comes after the deadline interests nobody, a failure included.
      reading.catch(() => undefined);
    }
  };
}
