/** Why somebody gets no turn. */
export type NoSlot = 'line is full' | 'waited in vain';

/** `new`: it begins with this turn. `begun`: it goes on with something that was begun or accepted. */
export type Standing = 'new' | 'begun';

/**
 * Who is next at a bounded number of places. What has begun goes before what is new, and what is new waits
 * in a line of bounded length.
 */
export interface ConnectionQueue {
  /** Null: it is your turn, until you call `end`. */
  take(standing: Standing, waitMs: number): Promise<NoSlot | null>;
  end(): void;
}

type Waiter = (noSlot: NoSlot | null) => void;

// So many of what has begun, then one that is new: a long backlog of accepted work does not keep
// everybody else out.
const begunInARow = 3;

/** Opens so many places, with a line of at most so many before them. */
export function createConnectionQueue(places: number, lineAtMost: number): ConnectionQueue {
  // Sets keep the order, and whoever waited in vain leaves from the middle.
  const waiting: Record<Standing, Set<Waiter>> = { new: new Set(), begun: new Set() };
  let free = places;
  let inARow = 0;

  function wait(standing: Standing, waitMs: number): Promise<NoSlot | null> {
    const { promise, resolve } = Promise.withResolvers<NoSlot | null>();
    const come: Waiter = (noSlot) => {
      clearTimeout(timer);
      waiting[standing].delete(come);
      resolve(noSlot);
    };
    const timer = setTimeout(() => come('waited in vain'), waitMs);
    waiting[standing].add(come);
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
      const isFull = standing === 'new' && waiting.new.size >= lineAtMost;
      return isFull ? 'line is full' : wait(standing, waitMs);
    },
    end() {
      const standing = nextStanding();
      inARow = standing === 'new' ? 0 : inARow + 1;
      const [come] = waiting[standing];
      if (come) come(null);
      else free += 1;
    },
  };
}
