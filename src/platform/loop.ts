import { createSleeper } from './sleeper.ts';

/** A background task: the same work, run again and again, one run after the other. */
export interface LoopParts {
  /** How the log calls it. */
  name: string;
  everyMs: number;
  /** Before the first run; absent: at once. */
  afterMs?: number;
  /** Returns after how many milliseconds it is to run again, where that is not `everyMs`. */
  work(signal: AbortSignal): Promise<number | void>;
  log: { warn(details: object, message: string): void };
}

/** A background task that runs. */
export interface Loop {
  /** Runs again now, or as soon as the present run has ended. */
  wake(): void;
  /** Begins no other run, and waits for the present one. */
  stop(): Promise<void>;
}

/** Starts a background task. A run that fails is logged, and stops neither the next nor any other task. */
export function startLoop({ name, everyMs, afterMs = 0, work, log }: LoopParts): Loop {
  const ending = new AbortController();
  const sleeper = createSleeper();

  async function run(): Promise<number> {
    try {
      return (await work(ending.signal)) ?? everyMs;
    } catch (error) {
      log.warn({ err: error, task: name }, 'background task failed; it is tried again');
      return everyMs;
    }
  }

  async function rounds(): Promise<void> {
    if (afterMs > 0) await sleeper.sleep(afterMs);
    while (!ending.signal.aborted) await sleeper.sleep(await run());
  }

  const running = rounds();
  return {
    wake: sleeper.wake,
    async stop() {
      ending.abort();
      sleeper.wake();
      await running;
    },
  };
}

/**
 * Work that removes or changes rows in batches until nothing is due. While more is due it rests as long as
 * each batch took, so that it never takes more than half of a connection.
 * @param batch runs one batch of at most so many rows, and returns how many there were
 */
export const inBatches =
  (atMost: number, batch: (atMost: number) => Promise<number>): LoopParts['work'] =>
  async () => {
    const began = performance.now();
    const rows = await batch(atMost);
    return rows < atMost ? undefined : performance.now() - began;
  };
