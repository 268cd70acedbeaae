import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseUnavailableError, type Executor } from '../platform/postgres/database.ts';
import {
  recordWebhookResults,
  setAsideDelivery,
  type StoppedEndpoint,
  type WebhookResult,
} from './store/results.ts';
import { BatchRefusedError, createBatch } from '../platform/batch.ts';

/** What a recorder reports. */
export interface RecorderNews {
  /** The database is away; it is tried again. */
  behind(error: unknown, waiting: number): void;
  /** The database refuses the result of this one attempt, whatever it is written with. */
  unrecorded(error: unknown, deliveryId: string): void;
  stopped(endpoint: StoppedEndpoint): void;
}

/** Writes results down, many at once. */
export interface Recorder {
  /** Resolves when it is committed, or cannot be. Never rejects. */
  record(result: WebhookResult): Promise<void>;
  /** Resolves when nothing waits because the database was away. */
  caughtUp(): Promise<void>;
  /** Lets go of what is not written; the leases decide. */
  stop(): void;
}

const groupSize = 64;
// While one group is on its way to the disk, the next is prepared.
const groupsAtOnce = 2;
const againMs = 1_000;
const failingDays = 5;

const isAway = (error: unknown): boolean => error instanceof DatabaseUnavailableError;

/** Records results in groups. While the database is away they wait. */
export function createRecorder(executor: Executor, news: RecorderNews): Recorder {
  const ending = new AbortController();
  const { signal } = ending;
  let behind: Promise<void> | null = null;
  let endBehind = (): void => undefined;

  function isBehind(error: unknown, waiting: number): void {
    news.behind(error, waiting);
    behind ??= new Promise((resolve) => (endBehind = resolve));
  }

  function isUpToDate(): void {
    behind = null;
    endBehind();
  }

  /** Writes a group as soon as the database is there; what it throws is the fault of the group. */
  async function write(results: readonly WebhookResult[]): Promise<readonly void[]> {
    for (;;) {
      try {
        const changed = await recordWebhookResults(executor, results, failingDays);
        isUpToDate();
        for (const endpoint of changed) news.stopped(endpoint);
        return [];
      } catch (error) {
        if (!isAway(error)) isUpToDate();
        if (!isAway(error) || signal.aborted) throw error;
        isBehind(error, batch.waiting() + results.length);
        await sleep(againMs, undefined, { signal });
      }
    }
  }

  const batch = createBatch({
    atMost: groupSize,
    delayMs: 0,
    writers: groupsAtOnce,
    write,
    // Whatever is left when it stops is not looked for: the leases decide.
    isOfOneItem: (error) => !isAway(error) && !signal.aborted,
  });

  async function setAside(result: WebhookResult, error: unknown): Promise<void> {
    if (signal.aborted || error instanceof BatchRefusedError) return;
    news.unrecorded(error, result.deliveryId);
    // If that fails as well, its lease ends, and it is attempted once more.
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
