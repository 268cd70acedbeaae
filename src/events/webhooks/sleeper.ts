/** Where a loop sleeps between its rounds. */
export interface Sleeper {
  /** Wakes the loop; one that does not sleep does not fall asleep next time. */
  wake(): void;
  sleep(): Promise<void>;
}

/** @param ms how long nobody need call */
export function createSleeper(ms: number): Sleeper {
  let woken = false;
  let end = (): void => undefined;
  return {
    wake() {
      woken = true;
      end();
    },
    async sleep() {
      if (!woken) {
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
