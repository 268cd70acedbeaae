import { AsyncLocalStorage } from 'node:async_hooks';

const deadlines = new AsyncLocalStorage<number>();

/**
 * Gives everything that the work asks of the database one deadline together, so that a call of several
 * statements ends in time too. What runs outside of such work has the limits of each statement alone.
 */
export const withDeadline = <T>(ms: number, work: () => T): T =>
  deadlines.run(performance.now() + ms, work);

/** For work that several share: each of its statements has its own limits, and nothing else. */
export const withoutDeadline = <T>(work: () => T): T => deadlines.exit(work);

/** The time left to the work that asks; Infinity: it has no deadline. */
export function remainingMs(): number {
  const deadline = deadlines.getStore();
  return deadline === undefined ? Infinity : deadline - performance.now();
}
