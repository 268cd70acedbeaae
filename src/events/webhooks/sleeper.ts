/** Sleeps between rounds, unless somebody has called since the last sleep began. */
export interface Sleeper {
  wake(): void;
  sleep(): Promise<void>;
}

/** @param ms how long nobody need call */
export function createSleeper(ms: number): Sleeper {
  let woken = false;
  let endSleep = (): void => undefined;
  return {
    wake() {
      woken = true;
      endSleep();
    },
    async sleep() {
      if (!woken) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          endSleep = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      woken = false;
    },
  };
}
