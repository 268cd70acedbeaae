import { setImmediate as nextLoopIteration } from 'node:timers/promises';

// Well below what a partner notices in another call.
const atOnceMs = 4;
// Reading the clock takes as long as to reject a home. This number of steps takes a few milliseconds at most.
const stepsBetweenReadings = 8;

/** Divides long work into parts, so that other work runs between them. */
export class Pace {
  readonly #signal: AbortSignal;
  #since = performance.now();
  #steps = 0;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** Whether the part has taken long enough. Called after each step. */
  isDue(): boolean {
    this.#steps += 1;
    if (this.#steps % stepsBetweenReadings !== 0) return false;
    return performance.now() - this.#since > atOnceMs;
  }

  /** Lets other work run. Throws `AbortError` if the work is no longer wanted. */
  async pause(): Promise<void> {
    await nextLoopIteration();
    this.#signal.throwIfAborted();
    this.#since = performance.now();
  }
}
