/** Where loops sleep between their rounds. */
export interface Sleeper {
  /** Wakes whoever sleeps; where nobody does, the next does not fall asleep. */
  wake(): void;
  sleep(): Promise<void>;
}

/** @param ms how long nobody need call */
export function createSleeper(ms: number): Sleeper {
  const sleeping = new Set<() => void>();
  let woken = false;
  return {
    wake() {
      woken = sleeping.size === 0;
      for (const end of sleeping) end();
    },
    async sleep() {
      if (woken) {
        woken = false;
        return;
      }
      await new Promise<void>((resolve) => {
        const end = (): void => {
          clearTimeout(timer);
          sleeping.delete(end);
          resolve();
        };
        const timer = setTimeout(end, ms);
        sleeping.add(end);
      });
    },
  };
}
