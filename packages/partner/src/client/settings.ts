import type { OperationId } from './operation.ts';

/** An ID that was made for a create, before its first attempt. */
export interface Identity {
  operation: OperationId;
  /** The member of the body, such as `quoteId`. */
  member: string;
  id: string;
  /** The whole body as it is sent. */
  body: Readonly<Record<string, unknown>>;
}

/** How the client is set up. */
export interface ClientSettings {
  /** The address of the service, without a path. */
  baseUrl: string;
  applicationId: string;
  applicationKey: string;
  /** Sent as `X-Booking-Consumer`: on whose behalf the catalog is read. */
  consumer?: 'web' | 'agent' | 'cli' | 'staff';
  /**
   * How often a call is made again after a failure; the default is 4. 0 means never, not even with a new token.
   * `waitForOutcome` does not count: a submitted booking is never given up.
   */
  maxRetries?: number;
  /** Milliseconds until an attempt counts as lost; the default is 15,000. The service answers within 6,000. */
  timeoutMs?: number;
  /** The longest wait that the service may ask for; a longer one ends the call with its error. The default is 60. */
  longestWaitSeconds?: number;
  /**
   * Called with each ID that the client makes, before the first attempt, and awaited: store it, and a process that is
   * started again can make the same call.
   */
  onIdentity?: (identity: Identity) => void | Promise<void>;
  /**
   * Called once for each operation whose responses say that it is deprecated, with the instant from which it is: tell
   * somebody. The call succeeds as before.
   */
  onDeprecation?: (seen: { operation: OperationId; since: Date }) => void;
  /** Sends requests; the default is `fetch`. */
  fetch?: typeof fetch;
  /** Waits; for tests. Rejects when the signal is aborted. */
  sleep?: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;
}

/** Waits. Rejects when the signal is aborted. */
export const waits = (milliseconds: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason as Error);
      return;
    }
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
