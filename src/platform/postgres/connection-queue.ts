/** Why a caller gets no slot. */
export type NoSlot = 'queue is full' | 'timed out';

/** `new`: the call has not begun. `begun`: it continues work that has begun or was accepted. */
export type Standing = 'new' | 'begun';

/**
 * Gives out a bounded number of slots. Calls already in progress get a slot before new calls, the queue of new calls has
 * a bounded length, and some slots are for reads alone.
 */
export interface ConnectionQueue {
  /** Null: the caller has a slot until it calls `end` with the same `mayWrite`. */
  take(standing: Standing, waitMs: number, mayWrite?: boolean): Promise<NoSlot | null>;
  end(mayWrite?: boolean): void;
  usage(): QueueUsage;
}

/** How many slots there are, how many are used, and how many callers wait for one. */
export interface QueueUsage {
  all: number;
  used: number;
  waiting: Readonly<Record<Standing, number>>;
}

interface Waiter {
  mayWrite: boolean;
  proceed(noSlot: NoSlot | null): void;
}

// After this many slots for begun work, a new call gets one, so that a long backlog of accepted work
// does not block new calls.
const begunInARow = 3;

/**
 * Creates a queue with a number of slots and a maximum length. `forReads` slots are never given to work that may write,
 * so reads go on while all commits wait. Spec: QUOTA-9.
 */
export function createConnectionQueue(
  slots: number,
  maxLength: number,
  forReads = 0,
): ConnectionQueue {
  // Sets keep the order and allow a caller that times out to leave from the middle.
  const waiting: Record<Standing, Set<Waiter>> = { new: new Set(), begun: new Set() };
  let free = slots;
  let writing = 0;
  let inARow = 0;

  const hasSlotFor = (mayWrite: boolean): boolean =>
    free > 0 && (!mayWrite || writing < slots - forReads);

  function begin(mayWrite: boolean): void {
    free -= 1;
    if (mayWrite) writing += 1;
  }

  function wait(standing: Standing, waitMs: number, mayWrite: boolean): Promise<NoSlot | null> {
    const { promise, resolve } = Promise.withResolvers<NoSlot | null>();
    const waiter: Waiter = {
      mayWrite,
      proceed(noSlot) {
        clearTimeout(timer);
        waiting[standing].delete(waiter);
        resolve(noSlot);
      },
    };
    const timer = setTimeout(() => waiter.proceed('timed out'), waitMs);
    waiting[standing].add(waiter);
    return promise;
  }

  function firstOf(standing: Standing): Waiter | undefined {
    for (const waiter of waiting[standing]) if (hasSlotFor(waiter.mayWrite)) return waiter;
    return undefined;
  }

  function serveNext(): void {
    const [begun, fresh] = [firstOf('begun'), firstOf('new')];
    const isTurnOfNew = !begun || (inARow >= begunInARow && fresh !== undefined);
    inARow = isTurnOfNew ? 0 : inARow + 1;
    const next = isTurnOfNew ? fresh : begun;
    if (!next) return;
    begin(next.mayWrite);
    next.proceed(null);
  }

  return {
    async take(standing, waitMs, mayWrite = false) {
      // Whoever can have a slot that is free does not wait: so nobody is overtaken here.
      if (hasSlotFor(mayWrite)) {
        begin(mayWrite);
        return null;
      }
      const isFull = standing === 'new' && waiting.new.size >= maxLength;
      return isFull ? 'queue is full' : wait(standing, waitMs, mayWrite);
    },
    end(mayWrite = false) {
      free += 1;
      if (mayWrite) writing -= 1;
      serveNext();
    },
    usage: () => ({
      all: slots,
      used: slots - free,
      waiting: { new: waiting.new.size, begun: waiting.begun.size },
    }),
  };
}
