import { AsyncLocalStorage } from 'node:async_hooks';

interface CallInProgress {
  /** A reading of `performance.now`. */
  until: number;
  /** The call has used the database, or may go before new calls. */
  begun: boolean;
}

const calls = new AsyncLocalStorage<CallInProgress>();

/**
 * Gives all statements of the work one common deadline, so that a call with several statements ends in time.
 * Without a deadline, only the limit of each statement applies. Spec: ERROR-11.
 */
export const withDeadline = <T>(ms: number, work: () => T): T =>
  calls.run({ until: performance.now() + ms, begun: false }, work);

/** Runs a part of a call with priority over new calls. */
export function aheadOfNewCalls<T>(work: () => T): T {
  const call = calls.getStore();
  return call ? calls.run({ ...call, begun: true }, work) : work();
}

/** Runs work that several calls share without a deadline: only the limit of each statement applies. */
export const withoutDeadline = <T>(work: () => T): T => calls.exit(work);

/** The remaining time of the current work. Infinity: it has no deadline. */
export function remainingMs(): number {
  const call = calls.getStore();
  return call === undefined ? Infinity : call.until - performance.now();
}

/** Runs work that uses no database. Its time does not count: afterwards as much is left as before. */
export async function withDeadlinePaused<T>(work: () => Promise<T>): Promise<T> {
  const call = calls.getStore();
  const begin = performance.now();
  try {
    return await work();
  } finally {
    if (call) call.until += performance.now() - begin;
  }
}

/** Whether the current work is a call that has not begun. Work without a deadline was accepted before. */
export const isNewCall = (): boolean => calls.getStore()?.begun === false;

/** Marks the current call as begun. */
export function markBegun(): void {
  const call = calls.getStore();
  if (call) call.begun = true;
}
