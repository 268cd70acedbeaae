/** Sends calls; some callers disconnect before the response. */
import type { CallReply } from '../harness/partner.ts';
import { kindOf, type Call } from './call-kinds.ts';
import type { SessionClients } from './session-clients.ts';

/** A call and how it is sent. */
export interface Sent {
  call: Call;
  /** The caller disconnects after this many milliseconds; null: it waits for the response. */
  hangsUpAfterMs: number | null;
}

/** A call that waits for its response. */
export const waitedFor = (call: Call): Sent => ({ call, hangsUpAfterMs: null });

/** Sends a call; null: the caller disconnected, so the result is unknown. */
export async function send(
  sessionClients: SessionClients,
  { call, hangsUpAfterMs }: Sent,
): Promise<CallReply | null> {
  const kind = kindOf(call);
  // The operator waits for the end.
  if ('act' in kind) return kind.act(sessionClients, call);
  const { operation, input } = kind;
  const ending = new AbortController();
  const { signal } = ending;
  const timer =
    hangsUpAfterMs === null ? undefined : setTimeout(() => ending.abort(), hangsUpAfterMs);
  try {
    return await sessionClients.partners[call.by].call(operation, {
      ...input(sessionClients, call),
      signal,
    });
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
