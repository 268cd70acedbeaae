import type { WebhookClaim } from './store/claims.ts';
import type { WebhookResult } from './store/results.ts';
import { readRetryAfter, retryInSeconds } from './retry.ts';
import type { Attempted } from './sender.ts';

// Only these say for how long to stay away.
const heeded: ReadonlySet<number | null> = new Set([429, 503]);

/**
 * What becomes of a delivery after an attempt. Spec: Webhooks, retries.
 *
 * @param chance from 0 to 1
 */
export function decideResult(
  claim: WebhookClaim,
  attempted: Attempted,
  chance: number,
): WebhookResult {
  const { status, error, response, durationMs, retryAfter } = attempted;
  const { deliveryId, fence } = claim;
  const attempt = { deliveryId, fence, durationMs, status, error, response };
  if (error === null) return { ...attempt, state: 'delivered', retryInSeconds: null };
  const asks = heeded.has(status) ? retryAfter : null;
  const asked = asks === null ? null : readRetryAfter(asks, claim.now + durationMs);
  const retry = retryInSeconds(claim.failedAttempts + 1, asked, chance);
  return { ...attempt, state: retry === null ? 'exhausted' : 'pending', retryInSeconds: retry };
}
