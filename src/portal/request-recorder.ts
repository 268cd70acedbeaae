import type { Executor } from '../db/database.ts';
import { withDeadline } from '../db/deadline.ts';
import { insertRequests, type LoggedRequest } from '../db/request-log.ts';
import { startLoop } from '../platform/loop.ts';

/** Writes calls into the request log, some at a time, and is never waited for. */
export interface RequestRecorder {
  record(request: LoggedRequest): void;
  /** Writes what there is, and takes no more. */
  stop(): Promise<void>;
}

/** What the recorder works with; the figures are there for tests. */
export interface RecorderParts {
  executor: Executor;
  log: { warn(details: object, message: string): void };
  everyMs?: number;
}

const rowsAtOnce = 64;
const defaultEveryMs = 250;
// A few megabytes at most, whatever the database does.
const mostWaiting = 8_192;
const writeWithinMs = 2_000;

/** Starts the recorder of this process. */
export function startRequestRecorder({
  executor,
  log,
  everyMs = defaultEveryMs,
}: RecorderParts): RequestRecorder {
  const waiting: LoggedRequest[] = [];
  let dropped = 0;
  let failure: unknown;
  let stopping = false;

  function tellDropped(): void {
    if (dropped === 0) return;
    log.warn({ dropped, err: failure }, 'calls are missing from the request log');
    dropped = 0;
    failure = undefined;
  }

  async function write(batch: LoggedRequest[]): Promise<void> {
    try {
      await withDeadline(writeWithinMs, () => insertRequests(executor, batch));
      tellDropped();
    } catch (error) {
      failure = error;
      dropped += batch.length;
      // Nobody waits for a database that is away in order to stop.
      if (stopping) dropped += waiting.splice(0).length;
    }
  }

  const writeBatch = (): Promise<void> => write(waiting.splice(0, rowsAtOnce));

  // Started here, so that what it asks of the database has no request's deadline.
  const loop = startLoop({
    name: 'write the request log',
    everyMs,
    log,
    async work() {
      if (waiting.length > 0) await writeBatch();
      return waiting.length >= rowsAtOnce ? 0 : undefined;
    },
  });
  return {
    record(request) {
      if (stopping || waiting.length >= mostWaiting) {
        dropped += 1;
        return;
      }
      waiting.push(request);
      if (waiting.length === rowsAtOnce) loop.wake();
    },
    async stop() {
      stopping = true;
      await loop.stop();
      while (waiting.length > 0) await writeBatch();
      tellDropped();
    },
  };
}
