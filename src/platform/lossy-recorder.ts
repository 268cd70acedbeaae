import { BatchRefusedError, createBatch } from './batch.ts';
import { DatabaseUnavailableError } from './postgres/database-errors.ts';
import { withDeadline } from './postgres/deadline.ts';

/** Writes items in groups, and drops what cannot be written: nothing waits for it. */
export interface LossyRecorder<Item> {
  record(item: Item): void;
  /** Writes the queued items and accepts no more. */
  stop(): Promise<void>;
}

/** What a recorder writes, and how. */
export interface LossyRecorderContext<Item> {
  write(items: readonly Item[]): Promise<void>;
  /** Logs how many items were dropped. `err`: why, unless there were too many. */
  onDropped(details: { dropped: number; err: unknown }): void;
  everyMs: number;
}

const rowsAtOnce = 64;
// Bounds the memory to a few megabytes.
const mostWaiting = 8_192;
const writeWithinMs = 2_000;

const isAway = (error: unknown): boolean => error instanceof DatabaseUnavailableError;

/** Starts a recorder. */
export function startLossyRecorder<Item>({
  write,
  onDropped,
  everyMs,
}: LossyRecorderContext<Item>): LossyRecorder<Item> {
  let dropped = 0;
  let failure: unknown;
  let stopping = false;
  let gaveUp: unknown;

  function logDropped(): void {
    if (dropped === 0) return;
    onDropped({ dropped, err: failure });
    dropped = 0;
    failure = undefined;
  }

  async function writeInTime(items: readonly Item[]): Promise<readonly void[]> {
    if (gaveUp !== undefined) throw gaveUp;
    try {
      await withDeadline(writeWithinMs, () => write(items));
      return [];
    } catch (error) {
      // A stop does not wait for an unavailable database.
      if (stopping && isAway(error)) gaveUp = error;
      throw error;
    }
  }

  function drop(error: unknown): void {
    dropped += 1;
    if (!(error instanceof BatchRefusedError)) failure = error;
  }

  // Created outside of a request, so that its statements have no request's deadline.
  const batch = createBatch({
    atMost: rowsAtOnce,
    delayMs: everyMs,
    mostWaiting,
    write: writeInTime,
    isOfOneItem: (error) => !isAway(error),
  });
  return {
    record: (item) => void batch.add(item).then(logDropped, drop),
    async stop() {
      stopping = true;
      await batch.end();
      logDropped();
    },
  };
}
