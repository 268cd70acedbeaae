/** What an action does to a call. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { AnyResponse } from '../api/response.ts';
import type { Interference } from '../api/surface.ts';
import { isRefusal, refuse, type Refusal } from '../contract/errors.ts';
import type { Tier } from '../contract/limits.ts';
import { sandboxLimits } from '../contract/sandbox/limits.ts';
import type { FaultAction } from '../contract/sandbox/schemas.ts';
import { withDeadlinePaused } from '../platform/postgres/deadline.ts';
import { unknownValues } from './rules/unknown-values.ts';

/** A call that an action is played on. */
export interface PlayedCall {
  applicationId: string;
  operation: string;
  /** Null: it has none. */
  tier: Tier | null;
  requestId: string;
  /** Notes in the log what was done to the call. */
  note(fault: string): void;
}

const dropped: AnyResponse = { status: 0, damage: 'dropped' };

const retryAfter = (seconds: number | undefined) =>
  seconds === undefined ? {} : { retryAfterSeconds: seconds };

function respondWith(
  { tier }: PlayedCall,
  { respond, retryAfterSeconds }: Extract<FaultAction, { respond: number }>,
): Refusal {
  if (respond === 500) return refuse('internal');
  const refusal =
    respond === 503 ? refuse('unavailable') : refuse('rate_limited', ...(tier ? [{ tier }] : []));
  return { ...refusal, ...retryAfter(retryAfterSeconds) };
}

type Content = Readonly<Record<string, unknown>>;

/** A response with another body; a refusal, and one without a body, as it is. */
export const withBody =
  (change: (content: Content) => Content) =>
  (outcome: AnyResponse | Refusal): AnyResponse | Refusal => {
    if (isRefusal(outcome)) return outcome;
    const { bytes, body, ...rest } = outcome as AnyResponse;
    const content = bytes ? (JSON.parse(Buffer.concat(bytes).toString()) as Content) : body;
    return content ? { ...rest, body: change({ ...content }) } : outcome;
  };

/** How many calls of each application wait. */
const delayed = new Map<string, number>();

/** Waits in place of a slow network. Above the limit of an application, not at all. */
async function delay(applicationId: string, delayMs: number): Promise<void> {
  const waiting = delayed.get(applicationId) ?? 0;
  if (waiting >= sandboxLimits.delayedAtOnce) return;
  delayed.set(applicationId, waiting + 1);
  try {
    await withDeadlinePaused(() => sleep(delayMs, undefined, { ref: false }));
  } finally {
    const left = (delayed.get(applicationId) ?? 1) - 1;
    if (left === 0) delayed.delete(applicationId);
    else delayed.set(applicationId, left);
  }
}

/** What happens to the call. Spec: SANDBOX-2. */
export function playAction(call: PlayedCall, action: FaultAction): Interference {
  if ('respond' in action) return { instead: respondWith(call, action) };
  if ('html' in action) return { instead: { status: action.html, damage: { html: action.html } } };
  if ('drop' in action) {
    return action.drop === 'before' ? { instead: dropped } : { afterwards: () => dropped };
  }
  if ('unresolved' in action) {
    const refusal = refuse('unresolved');
    return action.unresolved === 'applied' ? { afterwards: () => refusal } : { instead: refusal };
  }
  if ('delayMs' in action) {
    const wait = () => delay(call.applicationId, action.delayMs);
    return { afterwards: (outcome) => wait().then(() => outcome) };
  }
  return { afterwards: withBody(unknownValues) };
}
