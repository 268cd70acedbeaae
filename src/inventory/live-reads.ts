import { setImmediate as nextLoopIteration } from 'node:timers/promises';
import { refuse, type Refusal } from '../contract/errors.ts';
import { limits } from '../contract/limits.ts';
import { remainingMs } from '../platform/postgres/deadline.ts';

/** Runs live reads: a bounded number at a time, each with a deadline. Spec: Quotas, rule 5; Limits. */
export type LiveReads = <T>(
  read: (signal: AbortSignal) => Promise<T>,
) => Promise<T | Refusal<'unavailable'>>;

const busy = (): Refusal<'unavailable'> => ({ ...refuse('unavailable'), retryAfterSeconds: 1 });

// A read that never ends must not keep its slot forever.
const slotAtMostMs = 60_000;

/**
 * Refuses a read when all slots are taken instead of queueing it. After its deadline a read keeps its slot
 * until it ends, at most a minute, so that a slow supplier does not get more and more reads.
 */
export function createLiveReads(
  atOnce: number,
  deadlineMs: number = limits.liveReadSeconds * 1000,
  slotMs = slotAtMostMs,
): LiveReads {
  let running = 0;
  return async (read) => {
    // Reads that start in one iteration of the event loop may end before the next one.
    if (running >= atOnce) await nextLoopIteration();
    if (running >= atOnce) return busy();
    running += 1;
    let isOver = false;
    const freeSlot = (): void => {
      if (!isOver) running -= 1;
      isOver = true;
    };
    const ending = new AbortController();
    const reading = Promise.try(read, ending.signal).finally(freeSlot);
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise<Refusal<'unavailable'>>((resolve) => {
      timer = setTimeout(
        () => {
          resolve(busy());
          ending.abort();
          setTimeout(freeSlot, slotMs).unref();
        },
        Math.max(0, Math.min(deadlineMs, remainingMs())),
      );
    });
    try {
      return await Promise.race([reading, deadline]);
    } finally {
      clearTimeout(timer);
      // A failure after the deadline must not become an unhandled rejection.
      reading.catch(() => undefined);
    }
  };
}
