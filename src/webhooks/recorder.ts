import { setTimeout as sleep } from 'node:timers/promises';
import type { Executor } from '../platform/postgres/database.ts';
import { DatabaseUnavailableError } from '../platform/postgres/database-errors.ts';
import {
  recordWebhookResults,
  setAsideDelivery,
  type StoppedEndpoint,
  type WebhookResult,
} from './store/results.ts';
import { BatchRefusedError, createBatch } from '../platform/batch.ts';

/** Callbacks of a recorder. */
export interface RecorderListener {
  /** The database is unavailable; the recorder tries again. */
  behind(error: unknown, waiting: number): void;
  /** The database refuses the result of this attempt, also when it is written alone. */
  unrecorded(error: unknown, deliveryId: string): void;
  stopped(endpoint: StoppedEndpoint): void;
}

/** Records the results of attempts. */
export interface Recorder {
  /** Resolves when the result is committed or cannot be committed. Never rejects. */
  record(result: WebhookResult): Promise<void>;
  /** Resolves when no result waits for an unavailable database. */
  caughtUp(): Promise<void>;
  /** Discards unwritten results. After their leases expire, the attempts are repeated. */
  stop(): void;
}

const groupSize = 64;
// The next group is prepared while one is written to disk.
const groupsAtOnce = 2;
const retryMs = 1_000;
const failingDays = 5;

const isUnavailable = (error: unknown): boolean => error instanceof DatabaseUnavailableError;

/** Creates a recorder that writes in groups. Results wait while the database is unavailable. */
export function createRecorder(executor: Executor, listener: RecorderListener): Recorder {
  const ending = new AbortController();
  const { signal } = ending;
  let behind: Promise<void> | null = null;
  let endBehind = (): void => undefined;

  function isBehind(error: unknown, waiting: number): void {
    listener.behind(error, waiting);
    behind ??= new Promise((resolve) => (endBehind = resolve));
  }

  function isUpToDate(): void {
    behind = null;
    endBehind();
  }

  /** Writes a group as soon as the database is available. Unless it stops, only the group causes what it throws. */
  async function write(results: readonly WebhookResult[]): Promise<readonly void[]> {
    for (;;) {
      try {
        const changed = await recordWebhookResults(executor, results, failingDays);
        isUpToDate();
        for (const endpoint of changed) listener.stopped(endpoint);
        return [];
      } catch (error) {
        if (!isUnavailable(error)) isUpToDate();
        if (!isUnavailable(error) || signal.aborted) throw error;
        isBehind(error, batch.waiting() + results.length);
        await sleep(retryMs, undefined, { signal });
      }
    }
  }

  const batch = createBatch({
    atMost: groupSize,
    delayMs: 0,
    writers: groupsAtOnce,
    write,
    // While it stops, groups are not halved: the leases of unwritten results expire.
    isOfOneItem: (error) => !isUnavailable(error) && !signal.aborted,
  });

  async function setAside(result: WebhookResult, error: unknown): Promise<void> {
    if (signal.aborted || error instanceof BatchRefusedError) return;
    listener.unrecorded(error, result.deliveryId);
    // If this also fails, the lease expires and the attempt is repeated.
    await setAsideDelivery(executor, result).catch(() => undefined);
  }

  return {
    record: (result) =>
      batch.add(result).then(
        () => undefined,
        (error: unknown) => setAside(result, error),
      ),
    caughtUp: () => behind ?? Promise.resolve(),
    stop() {
      ending.abort();
      batch.abandon();
      isUpToDate();
    },
  };
}
