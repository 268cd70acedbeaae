import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Executor } from '../../db/database.ts';
import {
  recordWebhookResults,
  type StoppedEndpoint,
  type WebhookResult,
} from '../../db/webhook-results.ts';

/** What a recorder has to tell. */
export interface RecorderNews {
  /** Nothing can be written just now; it is tried again. */
  behind(error: unknown, waiting: number): void;
  stopped(endpoint: StoppedEndpoint): void;
}

/** Writes results down, many at once. */
export interface Recorder {
  /** Resolves when it is committed. */
  record(result: WebhookResult): Promise<void>;
  /** Resolves when nothing waits because the database was away. */
  caughtUp(): Promise<void>;
  /** Lets go of what is not written; the leases decide. */
  stop(): void;
}

const groupSize = 64;
// While one group is on its way to the disk, the next is prepared.
const groupsAtOnce = 2;
const worthAnother = 32;
const againMs = 1_000;
const failingDays = 5;

interface Waiting {
  result: WebhookResult;
  written(): void;
}

/** What comes in while groups are being written makes the next group. */
export function createRecorder(executor: Executor, news: RecorderNews): Recorder {
  const waiting: Waiting[] = [];
  let writers = 0;
  let stopped = false;
  let behind: Promise<void> | null = null;
  let endBehind = (): void => undefined;

  function isBehind(error: unknown): void {
    news.behind(error, waiting.length);
    behind ??= new Promise((resolve) => (endBehind = resolve));
  }

  function isUpToDate(): void {
    behind = null;
    endBehind();
  }

  async function writeGroup(): Promise<void> {
    const group = waiting.splice(0, groupSize);
    const results = group.map(({ result }) => result);
    try {
      const changed = await recordWebhookResults(executor, results, failingDays);
      for (const { written } of group) written();
      for (const endpoint of changed) news.stopped(endpoint);
      isUpToDate();
    } catch (error) {
      waiting.unshift(...group);
      isBehind(error);
      await sleep(againMs);
    }
  }

  const isMuch = (): boolean => writers < groupsAtOnce && waiting.length >= worthAnother;

  async function write(): Promise<void> {
    writers += 1;
    // What came in the same moment goes into the same group.
    await nextTurn();
    while (waiting.length > 0 && !stopped) await writeGroup();
    writers -= 1;
    if (stopped) letGo();
  }

  function letGo(): void {
    for (const { written } of waiting.splice(0)) written();
    isUpToDate();
  }

  return {
    record(result) {
      if (stopped) return Promise.resolve();
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push({ result, written: resolve });
      if (writers === 0 || isMuch()) void write();
      return promise;
    },
    caughtUp: () => behind ?? Promise.resolve(),
    stop() {
      stopped = true;
      letGo();
    },
  };
}
