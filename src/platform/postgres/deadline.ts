import { AsyncLocalStorage } from 'node:async_hooks';

interface CallInProgress {
  /** A reading of `performance.now`. */
  until: number;
  /** Since when the deadline is paused. Null: it is not. */
  pausedAt: number | null;
  /** The call has used the database, or may go before new calls. */
  begun: boolean;
}

const calls = new AsyncLocalStorage<CallInProgress>();

/**
 * Gives all statements of the work one common deadline, so that a call with several statements ends in time.
 * Without a deadline, only the limit of each statement applies.
 */
export const withDeadline = <T>(ms: number, work: () => T): T =>
  calls.run({ until: performance.now() + ms, pausedAt: null, begun: false }, work);

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

/** Pauses the deadline while the call waits for its caller. */
export function pauseDeadline(): void {
  const call = calls.getStore();
  if (call) call.pausedAt ??= performance.now();
}

/** Continues the deadline with the time that was left. */
export function resumeDeadline(): void {
  const call = calls.getStore();
  if (!call || call.pausedAt === null) return;
  call.until += performance.now() - call.pausedAt;
  call.pausedAt = null;
}

/** Whether the current work is a call that has not begun. Work without a deadline was accepted before. */
export const isNewCall = (): boolean => calls.getStore()?.begun === false;

/** Marks the current call as begun. */
export function markBegun(): void {
  const call = calls.getStore();
  if (call) call.begun = true;
}
