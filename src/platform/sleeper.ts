/** A sleep that can be ended early. */
export interface Sleeper {
  /** Ends the current sleep. If there is none, the next sleep ends immediately. */
  wake(): void;
  /** Resolves after this time, or when woken. */
  sleep(ms: number): Promise<void>;
}

/** A sleeper for one loop. */
export function createSleeper(): Sleeper {
  let woken = false;
  let end = (): void => undefined;
  return {
    wake() {
      woken = true;
      end();
    },
    async sleep(ms) {
      if (!woken && ms > 0) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          end = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      woken = false;
    },
  };
}

/** What `withinTime` returns when the time is over. */
export const late: unique symbol = Symbol('late');
export type Late = typeof late;

/**
 * Waits for work for at most this time. When the time is over, calls `onLate` and returns `late`: the work
 * continues, and its result is ignored.
 */
export async function withinTime<T>(
  ms: number,
  work: Promise<T>,
  onLate: () => void,
): Promise<T | Late> {
  const over = Promise.withResolvers<Late>();
  const timer = setTimeout(() => {
    // Before `onLate`, which may make the work fail.
    over.resolve(late);
    onLate();
  }, ms);
  try {
    return await Promise.race([work, over.promise]);
  } finally {
    clearTimeout(timer);
    // A failure after the time must not become an unhandled rejection.
    work.catch(() => undefined);
  }
}

/** Waits for work to end. If it takes longer than this time, gives it up, and still waits for its end. */
export async function giveUpAfter<T>(
  ms: number,
  giveUp: () => void,
  work: () => Promise<T>,
): Promise<T> {
  const timer = setTimeout(giveUp, ms);
  try {
    return await work();
  } finally {
    clearTimeout(timer);
  }
}
