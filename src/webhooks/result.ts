import type { WebhookClaim } from './store/claims.ts';
import type { WebhookResult } from './store/results.ts';
import { delayAsked, retryInSeconds } from '../platform/sending/retry.ts';
import type { Attempted } from './sender.ts';

/**
 * Decides the state of a delivery after an attempt. Spec: WEBHOOK-5, WEBHOOK-6.
 *
 * @param chance from 0 to 1
 */
export function decideResult(
  claim: WebhookClaim,
  attempted: Attempted,
  chance: number,
): WebhookResult {
  const { status, error, response, durationMs } = attempted;
  const { deliveryId, fence } = claim;
  const attempt = { deliveryId, fence, durationMs, status, error, response };
  if (error === null) return { ...attempt, state: 'delivered', retryInSeconds: null };
  const asked = delayAsked(attempted, claim.now + durationMs);
  const retry = retryInSeconds(claim.failedAttempts + 1, asked, chance);
  return { ...attempt, state: retry === null ? 'exhausted' : 'pending', retryInSeconds: retry };
}
