/** A number of slots that work takes in turn. */
export interface Slots {
  /** Waits for a slot; returns how to give it back. Rejects when `signal` is aborted before. */
  take(signal: AbortSignal): Promise<() => void>;
}

/** Creates slots that are all free. */
export function createSlots(count: number): Slots {
  let free = count;
  const waiting = new Set<() => void>();

  function release(): void {
    const [next] = waiting;
    if (!next) {
      free += 1;
      return;
    }
    waiting.delete(next);
    next();
  }

  function releaseOnce(): () => void {
    let isTaken = true;
    return () => {
      if (isTaken) release();
      isTaken = false;
    };
  }

  return {
    async take(signal) {
      signal.throwIfAborted();
      if (free > 0) {
        free -= 1;
        return releaseOnce();
      }
      const turn = Promise.withResolvers<void>();
      const abort = (): void => {
        waiting.delete(turn.resolve);
        turn.reject(signal.reason);
      };
      waiting.add(turn.resolve);
      signal.addEventListener('abort', abort, { once: true });
      try {
        await turn.promise;
        return releaseOnce();
      } finally {
        signal.removeEventListener('abort', abort);
      }
    },
  };
}

/** Slots that are taken one after the other, and given back together by `release`. */
export function heldUntilRelease(slots: Slots): Slots & { release(): void } {
  const taken: (() => void)[] = [];
  return {
    async take(signal) {
      taken.push(await slots.take(signal));
      return () => undefined;
    },
    release() {
      for (const giveBack of taken.splice(0)) giveBack();
    },
  };
}
