import { setTimeout as sleep } from 'node:timers/promises';
import { type FailureKind, failureOf } from './failure.ts';

/** How a call is repeated after a short fault of the provider. */
export interface Repeats {
  /** The delay before each repeat, in milliseconds. */
  delaysMs: readonly number[];
  /** No repeat begins later than this after the call, in milliseconds. */
  withinMs: number;
  /** Waits; ends early, without an error, when the signal ends. */
  wait(ms: number, signal: AbortSignal): Promise<unknown>;
}

/** Three repeats within four seconds. Spec: UNCERTAIN-5. */
export const usualRepeats: Repeats = {
  delaysMs: [250, 750, 1_500],
  withinMs: 4_000,
  wait: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => undefined),
};

/** A call is made once. */
export const noRepeats: Repeats = { ...usualRepeats, delaysMs: [] };

const isShort: Readonly<Partial<Record<FailureKind, true>>> = {
  busy: true,
  unavailable: true,
  lost: true,
};

/**
 * Makes a call, and repeats it after a short fault, under the same idempotency key: so it has no second effect.
 * Rejects with the last error of the provider.
 */
export async function repeated<T>(
  { delaysMs, withinMs, wait }: Repeats,
  signal: AbortSignal,
  call: () => Promise<T>,
): Promise<T> {
  const end = performance.now() + withinMs;
  for (const delayMs of delaysMs) {
    try {
      return await call();
    } catch (error) {
      if (!isShort[failureOf(error).kind] || performance.now() + delayMs > end) throw error;
      await wait(delayMs, signal);
      if (signal.aborted) throw error;
    }
  }
  return call();
}
