import type { Log } from './log.ts';
import { taskRuns } from './diagnostics.ts';
import { createSleeper } from './sleeper.ts';

/** A run that processed rows. */
interface ProcessedRows {
  rows: number;
  /** The delay until the next run in milliseconds; absent: `everyMs`. */
  nextInMs?: number | undefined;
}

/** What a run returns: the delay until the next one in milliseconds, what it processed, or nothing (`everyMs`). */
type RunResult = number | ProcessedRows | void;

/** A background task: work that runs periodically, never twice at once. */
export interface LoopTask {
  /** Its name in the log. */
  name: string;
  everyMs: number;
  /** The delay before the first run. Absent: none. */
  afterMs?: number;
  work(signal: AbortSignal): Promise<RunResult>;
  log: Pick<Log, 'warn'>;
}

/** A started background task. */
export interface Loop {
  /** Runs the work now, or after the current run. */
  wake(): void;
  /** Starts no further run, and waits for the current one. */
  stop(): Promise<void>;
}

/** Starts a background task. Logs a run that fails; the next run and other tasks continue. */
export function startLoop({ name, everyMs, afterMs = 0, work, log }: LoopTask): Loop {
  const ending = new AbortController();
  const sleeper = createSleeper();

  async function run(): Promise<number> {
    const began = performance.now();
    const ended = (failed: boolean, rows?: number): void =>
      taskRuns.publish(() => ({
        task: name,
        ms: performance.now() - began,
        failed,
        ...(rows !== undefined && { rows }),
      }));
    try {
      const result = (await work(ending.signal)) ?? everyMs;
      if (typeof result === 'number') {
        ended(false);
        return result;
      }
      ended(false, result.rows);
      return result.nextInMs ?? everyMs;
    } catch (error) {
      ended(true);
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
 * Work that processes due rows in batches. Between batches it pauses for as long as the last batch took, so that
 * it uses at most half of a connection.
 * @param batch processes at most `atMost` rows and returns their number
 */
export const inBatches =
  (atMost: number, batch: (atMost: number) => Promise<number>): (() => Promise<ProcessedRows>) =>
  async () => {
    const began = performance.now();
    const rows = await batch(atMost);
    return { rows, nextInMs: rows < atMost ? undefined : performance.now() - began };
  };
