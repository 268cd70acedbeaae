import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as nextTick } from 'node:timers/promises';

/** An item was not written: the queue was full, or the batch had ended. */
export class BatchRefusedError extends Error {
  override readonly name = 'BatchRefusedError';
}

/** How items are grouped and written. */
export interface BatchRules<Item, Result> {
  /** Items of one group. */
  atMost: number;
  /** Writes and commits a group, all of it or nothing; the results are in the order of the items. */
  write(items: readonly Item[]): Promise<readonly Result[]>;
  /**
   * How long the first item of a group waits for others. 0: the current tick of the event loop.
   * Absent: not at all. A full group never waits.
   */
  delayMs?: number;
  /** How many items may wait. An item beyond that is refused. Absent: no bound. */
  mostWaiting?: number;
  /** Groups that are written at the same time. Another one starts when half a group waits. Absent: 1. */
  writers?: number;
  /**
   * Whether an error can be the fault of one item. Such a group is halved until the item is alone, and
   * only that item fails. Any other error fails the whole group.
   */
  isOfOneItem(error: unknown): boolean;
}

/** Writes items in groups. */
export interface Batch<Item, Result> {
  /**
   * Resolves when the group of the item is committed. Rejects with what made it fail, or with
   * `BatchRefusedError`.
   */
  add(item: Item): Promise<Result>;
  /** Takes no more items, and resolves when all that waited were written or have failed. */
  end(): Promise<void>;
  /** Takes no more items, and refuses those that wait. */
  abandon(): void;
  /** How many items wait for a group. */
  waiting(): number;
}

interface Waiting<Item, Result> {
  item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/** A pause that can be ended early. */
function createPause() {
  let wake = (): void => undefined;
  return {
    wake: () => wake(),
    for: (ms: number): Promise<void> =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, ms);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
  };
}

/** Writes a group; where one item makes it fail, each half by itself. */
async function writeGroup<Item, Result>(
  rules: BatchRules<Item, Result>,
  group: readonly Waiting<Item, Result>[],
): Promise<void> {
  try {
    const results = await rules.write(group.map(({ item }) => item));
    for (const [place, { resolve }] of group.entries()) resolve(results[place]!);
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
 * THE grouped writer: items that come while a group is written go into the next group, and each is
 * answered after the commit of its group. The groups are written in the asynchronous context of this
 * call, not in that of the item that happened to be first.
 */
export function createBatch<Item, Result>(rules: BatchRules<Item, Result>): Batch<Item, Result> {
  const { atMost, delayMs, mostWaiting = Infinity, writers = 1 } = rules;
  const inOwnContext = AsyncLocalStorage.snapshot();
  const pause = createPause();
  // Made once: under overload an error with a trace for each item would cost more than the item.
  const full = new BatchRefusedError('too many items wait');
  const over = new BatchRefusedError('the batch has ended');
  const queue: Waiting<Item, Result>[] = [];
  let running = 0;
  let ended = false;
  const idle: (() => void)[] = [];

  const gather = (ms: number): Promise<void> => (ms === 0 ? nextTick() : pause.for(ms));

  async function writeAll(): Promise<void> {
    running += 1;
    while (queue.length > 0) {
      if (delayMs !== undefined && !ended && queue.length < atMost) await gather(delayMs);
      const group = queue.splice(0, atMost);
      if (group.length > 0) await writeGroup(rules, group);
    }
    // In the same step as the last look at the queue: what is added from now on starts a writer.
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
        if (queue.length === atMost) pause.wake();
        startIfNeeded();
      });
    },
    async end() {
      ended = true;
      pause.wake();
      if (running > 0) await new Promise<void>((resolve) => idle.push(resolve));
    },
    abandon() {
      ended = true;
      pause.wake();
      for (const { reject } of queue.splice(0)) reject(over);
    },
    waiting: () => queue.length,
  };
}
