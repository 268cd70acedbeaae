import { setImmediate as nextTurn } from 'node:timers/promises';
import { refuse, type Refusal } from '../contract/errors.ts';
import { limits } from '../contract/limits.ts';
import { remainingMs } from '../platform/postgres/deadline.ts';

/** Runs live reads: a bounded number at once, each with a deadline. Spec: Quotas, rule 5; Limits. */
export type LiveReads = <T>(
  read: (signal: AbortSignal) => Promise<T>,
) => Promise<T | Refusal<'unavailable'>>;

const busy = (): Refusal<'unavailable'> => ({ ...refuse('unavailable'), retryAfterSeconds: 1 });

// A supply that never answers would keep the place for ever.
const placeAtMostMs = 60_000;

/**
 * When all places are taken, a read is refused rather than queued. After the deadline a read keeps its
 * place until it really ends, so that a slow supply is not asked ever more, but no longer than a minute.
 */
export function createLiveReads(
  atOnce: number,
  deadlineMs: number = limits.liveReadSeconds * 1000,
  placeMs = placeAtMostMs,
): LiveReads {
  let underWay = 0;
  return async (read) => {
    // Many that come in one turn of the loop may be over by the next: they are not many at once.
    if (underWay >= atOnce) await nextTurn();
    if (underWay >= atOnce) return busy();
    underWay += 1;
    let isOver = false;
    const giveBack = (): void => {
      if (!isOver) underWay -= 1;
      isOver = true;
    };
    const ending = new AbortController();
    const reading = Promise.try(read, ending.signal).finally(giveBack);
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise<Refusal<'unavailable'>>((resolve) => {
      timer = setTimeout(
        () => {
          resolve(busy());
          ending.abort();
          setTimeout(giveBack, placeMs).unref();
        },
        Math.min(deadlineMs, remainingMs()),
      );
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
