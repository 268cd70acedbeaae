import { DatabaseUnavailableError, type Executor } from '../platform/postgres/database.ts';
import { withDeadline } from '../platform/postgres/deadline.ts';
import { insertRequests, type LoggedRequest } from './store/requests.ts';
import { BatchRefusedError, createBatch } from '../platform/batch.ts';

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

const isAway = (error: unknown): boolean => error instanceof DatabaseUnavailableError;

/** Starts the recorder of this process. */
export function startRequestRecorder({
  executor,
  log,
  everyMs = defaultEveryMs,
}: RecorderParts): RequestRecorder {
  let dropped = 0;
  let failure: unknown;
  let stopping = false;
  let gaveUp: unknown;

  function logDropped(): void {
    if (dropped === 0) return;
    log.warn({ dropped, err: failure }, 'calls are missing from the request log');
    dropped = 0;
    failure = undefined;
  }

  async function write(requests: readonly LoggedRequest[]): Promise<readonly void[]> {
    if (gaveUp !== undefined) throw gaveUp;
    try {
      await withDeadline(writeWithinMs, () => insertRequests(executor, requests));
      return [];
    } catch (error) {
      // No stop waits for a database that is away, group after group.
      if (stopping && isAway(error)) gaveUp = error;
      throw error;
    }
  }

  function drop(error: unknown): void {
    dropped += 1;
    if (!(error instanceof BatchRefusedError)) failure = error;
  }

  // Made here, so that what it asks of the database has no request's deadline.
  const batch = createBatch({
    atMost: rowsAtOnce,
    delayMs: everyMs,
    mostWaiting,
    write,
    isOfOneItem: (error) => !isAway(error),
  });
  return {
    record: (request) => void batch.add(request).then(logDropped, drop),
    async stop() {
      stopping = true;
      await batch.end();
      logDropped();
    },
  };
}
