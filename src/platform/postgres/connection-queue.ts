/** Why a caller gets no slot. */
export type NoSlot = 'queue is full' | 'timed out';

/** `new`: the call has not begun. `begun`: it continues work that has begun or was accepted. */
export type Standing = 'new' | 'begun';

/**
 * Gives out a bounded number of slots. Calls already in progress get a slot before new calls, and the queue of
 * new calls has a bounded length.
 */
export interface ConnectionQueue {
  /** Null: the caller has a slot until it calls `end`. */
  take(standing: Standing, waitMs: number): Promise<NoSlot | null>;
  end(): void;
  usage(): QueueUsage;
}

/** How many slots there are, how many are used, and how many callers wait for one. */
export interface QueueUsage {
  all: number;
  used: number;
  waiting: Readonly<Record<Standing, number>>;
}

type Waiter = (noSlot: NoSlot | null) => void;

// After this many slots for begun work, a new call gets one, so that a long backlog of accepted work
// does not block new calls.
const begunInARow = 3;

/** Creates a queue with a number of slots and a maximum length. Spec: QUOTA-9. */
export function createConnectionQueue(slots: number, maxLength: number): ConnectionQueue {
  // Sets keep the order and allow a caller that times out to leave from the middle.
  const waiting: Record<Standing, Set<Waiter>> = { new: new Set(), begun: new Set() };
  let free = slots;
  let inARow = 0;

  function wait(standing: Standing, waitMs: number): Promise<NoSlot | null> {
    const { promise, resolve } = Promise.withResolvers<NoSlot | null>();
    const proceed: Waiter = (noSlot) => {
      clearTimeout(timer);
      waiting[standing].delete(proceed);
      resolve(noSlot);
    };
    const timer = setTimeout(() => proceed('timed out'), waitMs);
    waiting[standing].add(proceed);
    return promise;
  }

  function nextStanding(): Standing {
    if (waiting.begun.size === 0) return 'new';
    return inARow >= begunInARow && waiting.new.size > 0 ? 'new' : 'begun';
  }

  return {
    async take(standing, waitMs) {
      if (free > 0) {
        free -= 1;
        return null;
      }
      const isFull = standing === 'new' && waiting.new.size >= maxLength;
      return isFull ? 'queue is full' : wait(standing, waitMs);
    },
    end() {
      const standing = nextStanding();
      inARow = standing === 'new' ? 0 : inARow + 1;
      const [proceed] = waiting[standing];
      if (proceed) proceed(null);
      else free += 1;
    },
    usage: () => ({
      all: slots,
      used: slots - free,
      waiting: { new: waiting.new.size, begun: waiting.begun.size },
    }),
  };
}
