import { setImmediate as nextLoopIteration } from 'node:timers/promises';
import type { MaybePromise } from '../api/maybe-promise.ts';
import { refuse, type Refusal } from '../contract/errors.ts';
import { limits } from '../contract/limits.ts';
import { remainingMs } from '../platform/postgres/deadline.ts';
import { late, withinTime } from '../platform/sleeper.ts';

/**
 * Runs live reads: a bounded number at a time, each with a deadline. A read that ends at once returns its value.
 * Spec: QUOTA-7.
 */
export type LiveReads = <T>(
  read: (signal: AbortSignal) => MaybePromise<T>,
) => MaybePromise<T | Refusal<'unavailable'>>;

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
  // A read that ended at once no longer uses its signal, so the next read gets it.
  let unused: AbortController | null = null;

  async function inTime<T>(
    reading: Promise<T>,
    ending: AbortController,
  ): Promise<T | Refusal<'unavailable'>> {
    let isOver = false;
    const freeSlot = (): void => {
      if (!isOver) running -= 1;
      isOver = true;
    };
    const leftMs = Math.max(0, Math.min(deadlineMs, remainingMs()));
    const read = await withinTime(leftMs, reading.finally(freeSlot), () => {
      ending.abort();
      setTimeout(freeSlot, slotMs).unref();
    });
    return read === late ? busy() : read;
  }

  function start<T>(
    read: (signal: AbortSignal) => MaybePromise<T>,
  ): MaybePromise<T | Refusal<'unavailable'>> {
    const ending = unused ?? new AbortController();
    unused = null;
    running += 1;
    try {
      const reading = read(ending.signal);
      if (reading instanceof Promise) return inTime(reading, ending);
      running -= 1;
      unused = ending;
      return reading;
    } catch (error) {
      running -= 1;
      return Promise.reject(error);
    }
  }

  return (read) => {
    if (running < atOnce) return start(read);
    // Reads that start in one iteration of the event loop may end before the next one.
    return nextLoopIteration().then(() => (running < atOnce ? start(read) : busy()));
  };
}
