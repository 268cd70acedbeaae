import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as nextTick } from 'node:timers/promises';
import { createSleeper, type Sleeper } from './sleeper.ts';

/** An item was not written, because the queue is full or the batch has ended. */
export class BatchRefusedError extends Error {
  override readonly name = 'BatchRefusedError';
}

/** How items are grouped and written. */
export interface BatchRules<Item, Result> {
  /** The maximum number of items in a group. */
  atMost: number;
  /** Writes and commits a group atomically. The results are in the order of the items. */
  write(items: readonly Item[]): Promise<readonly Result[]>;
  /**
   * How long the first item of a group waits for others. 0: for the current tick of the event loop.
   * Absent: it does not wait. A full group never waits.
   */
  delayMs?: number;
  /** The maximum number of queued items. Further items are refused. Absent: no bound. */
  mostWaiting?: number;
  /** The maximum number of concurrent writes. Another one starts when half a group is queued. Absent: 1. */
  writers?: number;
  /**
   * Whether one item can be the cause of this error. The group is then halved until the item is alone, and
   * only that item fails. Any other error fails the whole group.
   */
  isOfOneItem(error: unknown): boolean;
}

/** Writes items in groups. */
export interface Batch<Item, Result> {
  /**
   * Resolves when the group of the item is committed. Rejects with the error of the write, or with
   * `BatchRefusedError`.
   */
  add(item: Item): Promise<Result>;
  /** Accepts no more items. Resolves when all queued items are written or have failed. */
  end(): Promise<void>;
  /** Accepts no more items, and refuses the queued ones. */
  abandon(): void;
  /** The number of queued items. */
  waiting(): number;
}

interface Waiting<Item, Result> {
  item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/** Writes a group. If one item makes it fail, writes each half separately. */
async function writeGroup<Item, Result>(
  rules: BatchRules<Item, Result>,
  group: readonly Waiting<Item, Result>[],
): Promise<void> {
  try {
    const results = await rules.write(group.map(({ item }) => item));
    for (const [index, { resolve }] of group.entries()) resolve(results[index]!);
  } catch (error) {
    if (group.length === 1 || !rules.isOfOneItem(error)) {
      for (const { reject } of group) reject(error);
      return;
    }
    const middle = group.length >> 1;
    await writeGroup(rules, group.slice(0, middle));
    await writeGroup(rules, group.slice(middle));
  }
}

/**
 * Creates a grouped writer: items that arrive during a write go into the next group, and each item is
 * resolved after the commit of its group. Writes run in the asynchronous context of this call, not in
 * that of the first item.
 */
export function createBatch<Item, Result>(rules: BatchRules<Item, Result>): Batch<Item, Result> {
  const { atMost, delayMs, mostWaiting = Infinity, writers = 1 } = rules;
  const inOwnContext = AsyncLocalStorage.snapshot();
  // Created once: under overload, an error with a stack trace per item would cost more than the item.
  const full = new BatchRefusedError('too many items are queued');
  const over = new BatchRefusedError('the batch has ended');
  const queue: Waiting<Item, Result>[] = [];
  let running = 0;
  let ended = false;
  const gathering = new Set<Sleeper>();
  const idle: (() => void)[] = [];

  async function gather(ms: number): Promise<void> {
    if (ms === 0) return nextTick();
    const sleeper = createSleeper();
    gathering.add(sleeper);
    await sleeper.sleep(ms);
    gathering.delete(sleeper);
  }

  function endGathering(): void {
    for (const sleeper of gathering) sleeper.wake();
  }

  async function writeAll(): Promise<void> {
    running += 1;
    while (queue.length > 0) {
      if (delayMs !== undefined && !ended && queue.length < atMost) await gather(delayMs);
      const group = queue.splice(0, atMost);
      if (group.length > 0) await writeGroup(rules, group);
    }
    // No await between the last check of the queue and this line: an item added later starts a new writer.
    running -= 1;
    if (running === 0) for (const resolve of idle.splice(0)) resolve();
  }

  function startIfNeeded(): void {
    const isMuch = running < writers && queue.length >= atMost / 2;
    if (running === 0 || isMuch) void inOwnContext(writeAll);
  }

  return {
    add(item) {
      if (ended) return Promise.reject(over);
      if (queue.length >= mostWaiting) return Promise.reject(full);
      return new Promise((resolve, reject) => {
        queue.push({ item, resolve, reject });
        if (queue.length === atMost) endGathering();
        startIfNeeded();
      });
    },
    async end() {
      ended = true;
      endGathering();
      if (running > 0) await new Promise<void>((resolve) => idle.push(resolve));
    },
    abandon() {
      ended = true;
      endGathering();
      for (const { reject } of queue.splice(0)) reject(over);
    },
    waiting: () => queue.length,
  };
}
