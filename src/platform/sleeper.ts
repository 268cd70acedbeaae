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

/** Waits for work to end. If it takes longer than this time, gives it up, and still waits for its end. */
export async function giveUpAfter(
  ms: number,
  giveUp: () => void,
  work: () => Promise<unknown>,
): Promise<void> {
  const timer = setTimeout(giveUp, ms);
  try {
    await work();
  } finally {
    clearTimeout(timer);
  }
}
