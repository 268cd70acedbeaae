/** Ends a process at a statement or a call of the provider, without killing this one. */
import type { CardProvider } from '../../src/payments/ports/card-provider.ts';
import type { Executor } from '../../src/platform/postgres/database.ts';

/** A process that ends before one of its statements or calls. */
export class Killed extends Error {}

/** Counts down at each statement and call; at zero, the process ends. */
export class Countdown {
  left: number;
  constructor(left: number) {
    this.left = left;
  }
  tick(): void {
    this.left -= 1;
    if (this.left < 0) throw new Killed();
  }
}

/** Nobody ends it. */
export const never = new Countdown(Number.POSITIVE_INFINITY);

/** Counts before and after each statement. */
export const ticking = (executor: Executor, countdown: Countdown): Executor => ({
  vault: executor.vault,
  async query(statement, values) {
    countdown.tick();
    const rows = await executor.query<never>(statement, values);
    countdown.tick();
    return rows;
  },
});

/** Counts before and after each call. */
export const tickingProvider = <P extends CardProvider>(provider: P, countdown: Countdown): P =>
  new Proxy(provider, {
    get(target, name) {
      const member = Reflect.get(target, name) as unknown;
      if (typeof member !== 'function') return member;
      return async (...values: unknown[]) => {
        countdown.tick();
        const answer: unknown = await (member as (...all: unknown[]) => unknown).apply(
          target,
          values,
        );
        countdown.tick();
        return answer;
      };
    },
  });
