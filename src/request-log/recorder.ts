import type { Executor } from '../platform/postgres/database.ts';
import { DatabaseUnavailableError } from '../platform/postgres/database-errors.ts';
import { withDeadline } from '../platform/postgres/deadline.ts';
import { insertRequests, type LoggedRequest } from './store/requests.ts';
import { BatchRefusedError, createBatch } from '../platform/batch.ts';

/** Writes calls into the request log in groups. Requests do not wait for it. */
export interface RequestRecorder {
  record(request: LoggedRequest): void;
  /** Writes the queued calls and accepts no more. */
  stop(): Promise<void>;
}

/** The dependencies of the recorder. Tests set the numbers. */
export interface RecorderParts {
  executor: Executor;
  log: { warn(details: object, message: string): void };
  everyMs?: number;
}

const rowsAtOnce = 64;
const defaultEveryMs = 250;
// Bounds the memory to a few megabytes.
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
