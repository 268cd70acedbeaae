/** How long one read waits while something else is done, measured by a thread of its own. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

const threadFile = new URL('./wait-probe-thread.ts', import.meta.url);

/** What the thread measures: one call after the other at this port, with these bytes. */
export interface ProbedRead {
  port: number;
  request: string;
}

/** What was measured since the last question. */
export interface Waits {
  reads: number;
  worstMs: number;
}

/** Sends a read every few milliseconds until it is stopped. */
export class WaitProbe {
  readonly #thread: Worker;

  constructor(read: ProbedRead) {
    this.#thread = new Worker(threadFile, { workerData: read });
  }

  /** What was measured since the last call, including a read that still waits. From now on `next` is sent. */
  async sinceLast(next?: ProbedRead): Promise<Waits> {
    this.#thread.postMessage(next ?? null, []);
    const [waits] = (await once(this.#thread, 'message')) as [Waits];
    return waits;
  }

  async stop(): Promise<void> {
    await this.#thread.terminate();
  }
}
