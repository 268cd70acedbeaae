import type { Actor } from './call.ts';
import type { Execution } from './execution.ts';
import { after, type MaybePromise } from './maybe-promise.ts';
import type { HeaderPairs } from './response.ts';
import type { QuotaPort, QuotaState } from './surface.ts';

/** The headers that show a quota. Spec: QUOTA-4. */
export const quotaHeaders = ({
  name,
  perMinute,
  remaining,
  fullInSeconds,
}: QuotaState): HeaderPairs => [
  'ratelimit-policy',
  `"${name}";q=${perMinute};w=60`,
  'ratelimit',
  `"${name}";r=${remaining};t=${fullInSeconds}`,
];

/**
 * Runs before the response is sent, and returns what its headers show of the quota. A call that ended before the
 * quota step consumes one call too. Null: there is nothing to show, or the caller is unknown.
 */
export function finalQuota(execution: Execution): MaybePromise<QuotaState | null> {
  const { route, actor } = execution;
  if (!actor) return null;
  const quota = route.surface.quota as QuotaPort<Actor>;
  if (execution.quota !== 'open') return quota.state(actor, route.row);
  execution.quota = 'consumed';
  return after(quota.debit(actor, route.row), () => quota.state(actor, route.row));
}
