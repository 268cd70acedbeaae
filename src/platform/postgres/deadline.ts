import { AsyncLocalStorage } from 'node:async_hooks';

interface CallInProgress {
  /** On the counter of `performance.now`. */
  until: number;
  /** Since when its time stands still; null: it runs. */
  pausedAt: number | null;
  /** The database has done something for it, or it does not stand in line for that. */
  begun: boolean;
}

const calls = new AsyncLocalStorage<CallInProgress>();

/**
 * Gives everything that the work asks of the database one deadline together, so that a call of several
 * statements ends in time too. What runs outside of such work has the limits of each statement alone.
 */
export const withDeadline = <T>(ms: number, work: () => T): T =>
  calls.run({ until: performance.now() + ms, pausedAt: null, begun: false }, work);

/** Does a part of a call without standing in line with new calls. */
export function aheadOfNewCalls<T>(work: () => T): T {
  const call = calls.getStore();
  return call ? calls.run({ ...call, begun: true }, work) : work();
}

/** For work that several share: each of its statements has its own limits, and nothing else. */
export const withoutDeadline = <T>(work: () => T): T => calls.exit(work);

/** The time left to the work that asks; Infinity: it has no deadline. */
export function remainingMs(): number {
  const call = calls.getStore();
  return call === undefined ? Infinity : call.until - performance.now();
}

/** Lets the time of the call stand still while its caller is the one who takes it. */
export function pauseDeadline(): void {
  const call = calls.getStore();
  if (call) call.pausedAt ??= performance.now();
}

/** Lets the time of the call run on: what was left is left. */
export function resumeDeadline(): void {
  const call = calls.getStore();
  if (!call || call.pausedAt === null) return;
  call.until += performance.now() - call.pausedAt;
  call.pausedAt = null;
}

/** Whether a call asks that has not begun. What has no deadline is no call: it was accepted before. */
export const isNewCall = (): boolean => calls.getStore()?.begun === false;

/** From now on the call that asks has begun. */
export function markBegun(): void {
  const call = calls.getStore();
  if (call) call.begun = true;
}
