import type { Executor } from '../db/database.ts';
import { withDeadline } from '../db/deadline.ts';
import { insertRequests, type LoggedRequest } from '../db/request-log.ts';

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
  let wake = (): void => undefined;

  /** Until it is woken, or for so long. */
  const pause = (ms: number | null): Promise<void> =>
    new Promise((resolve) => {
      const timer = ms === null ? undefined : setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

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

  async function rounds(): Promise<void> {
    while (!stopping || waiting.length > 0) {
      if (waiting.length === 0) await pause(null);
      // The first call of a batch waits for others to come along.
      if (waiting.length < rowsAtOnce && !stopping) await pause(everyMs);
      const batch = waiting.splice(0, rowsAtOnce);
      if (batch.length > 0) await write(batch);
    }
    tellDropped();
  }

  // Begun here, so that what it asks of the database has no request's deadline.
  const running = rounds();
  return {
    record(request) {
      if (stopping || waiting.length >= mostWaiting) {
        dropped += 1;
        return;
      }
      waiting.push(request);
      if (waiting.length === 1 || waiting.length === rowsAtOnce) wake();
    },
    async stop() {
      stopping = true;
      wake();
      await running;
    },
  };
}
