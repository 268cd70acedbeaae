import type { Schedule } from '../../src/webhooks/sender.ts';

/** A clock that a test advances manually. */
export class ManualClock {
  #now = 0;
  readonly #waiting = new Map<() => void, number>();

  readonly later: Schedule = (ms, act) => {
    this.#waiting.set(act, this.#now + ms);
    return () => void this.#waiting.delete(act);
  };

  readonly now = (): number => this.#now;

  get waiting(): number {
    return this.#waiting.size;
  }

  pass(ms: number): void {
    this.#now += ms;
    for (const [act, at] of this.#waiting) {
      if (at > this.#now) continue;
      this.#waiting.delete(act);
      act();
    }
  }
}
