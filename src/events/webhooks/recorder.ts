import { setTimeout as sleep } from 'node:timers/promises';
import type { Executor } from '../../db/database.ts';
import {
  recordWebhookResults,
  type StoppedEndpoint,
  type WebhookResult,
} from '../../db/webhook-results.ts';
import type { DelivererLog } from './deliverer.ts';

/** Writes results down, many at once. */
export interface Recorder {
  /** Resolves when it is committed. */
  record(result: WebhookResult): Promise<void>;
  /** Resolves when nothing waits because the database was away. */
  caughtUp(): Promise<void>;
  /** Lets go of what is not written; the leases decide. */
  stop(): void;
}

const atOnce = 64;
const againMs = 1_000;
const failingDays = 5;

interface Waiting {
  result: WebhookResult;
  written(): void;
}

/** What comes in while a group is being written makes the next group. */
export function createRecorder(
  executor: Executor,
  log: DelivererLog,
  onStopped: (endpoint: StoppedEndpoint) => void,
): Recorder {
  const waiting: Waiting[] = [];
  let writing = false;
  let stopped = false;
  let behind: Promise<void> | null = null;
  let endBehind = (): void => undefined;

  async function writeGroup(): Promise<void> {
    const group = waiting.slice(0, atOnce);
    const results = group.map(({ result }) => result);
    const changed = await recordWebhookResults(executor, results, failingDays);
    waiting.splice(0, group.length);
    for (const { written } of group) written();
    changed.forEach(onStopped);
  }

  function fellBehind(error: unknown): void {
    log.warn({ err: error, waiting: waiting.length }, 'webhook results are not written yet');
    if (behind) return;
    behind = new Promise((resolve) => (endBehind = resolve));
  }

  function isUpToDate(): void {
    behind = null;
    endBehind();
  }

  async function writeAll(): Promise<void> {
    writing = true;
    while (waiting.length > 0 && !stopped) {
      try {
        await writeGroup();
        if (behind) isUpToDate();
      } catch (error) {
        fellBehind(error);
        if (!stopped) await sleep(againMs);
      }
    }
    if (stopped) isUpToDate();
    writing = false;
  }

  return {
    record(result) {
      if (stopped) return Promise.resolve();
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push({ result, written: resolve });
      if (!writing) void writeAll();
      return promise;
    },
    caughtUp: () => behind ?? Promise.resolve(),
    stop() {
      stopped = true;
      for (const { written } of waiting.splice(0)) written();
      isUpToDate();
    },
  };
}
