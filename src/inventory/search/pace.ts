import { setImmediate as nextLoopIteration } from 'node:timers/promises';

// Well below what a partner notices in another call.
const atOnceMs = 4;

/** Divides long work into parts, so that other work runs between them. */
export class Pace {
  readonly #signal: AbortSignal;
  #since = performance.now();

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** Whether the part has taken long enough. */
  isDue(): boolean {
    return performance.now() - this.#since > atOnceMs;
  }

  /** Lets other work run. Throws `AbortError` if the work is no longer wanted. */
  async pause(): Promise<void> {
    await nextLoopIteration();
    this.#signal.throwIfAborted();
    this.#since = performance.now();
  }
}
