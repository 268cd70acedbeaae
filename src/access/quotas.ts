import type { MaybePromise } from '../api/maybe.ts';
import { refuse, type Refusal } from '../contract/errors.ts';
import type { Tier } from '../contract/limits.ts';
import type { Application } from './store/applications.ts';
import { createBuckets } from './buckets.ts';

/**
 * The quotas of all applications. Results are values if quotas are in process, and promises if processes share
 * them. Spec: Quotas per application.
 */
export interface Quotas {
  /** Consumes one call, or refuses. */
  consume(application: Application, tier: Tier): MaybePromise<Refusal<'rate_limited'> | null>;
  /** Refunds a call that turned out to be a repeat. */
  refund(application: Application, tier: Tier): MaybePromise<void>;
  /** Consumes one call for a request that ended before the quota step. Never refuses. */
  debit(application: Application, tier: Tier): MaybePromise<void>;
  /** The values of the `RateLimit` headers. */
  state(
    application: Application,
    tier: Tier,
  ): MaybePromise<{ perMinute: number; remaining: number; fullInSeconds: number }>;
}

/** Quotas in this process. `elapsedMs` is a monotonic clock. */
export function createQuotas(elapsedMs?: () => number): Quotas {
  const buckets = createBuckets(elapsedMs);
  const nameOf = (application: Application, tier: Tier) => `${application.applicationId} ${tier}`;
  return {
    consume(application, tier) {
      const wait = buckets.take(nameOf(application, tier), application.quotas[tier]);
      return wait === 0 ? null : { ...refuse('rate_limited'), retryAfterSeconds: wait };
    },
    debit: (application, tier) =>
      buckets.debit(nameOf(application, tier), application.quotas[tier]),
    refund: (application, tier) =>
      buckets.giveBack(nameOf(application, tier), application.quotas[tier]),
    state: (application, tier) => ({
      perMinute: application.quotas[tier],
      ...buckets.state(nameOf(application, tier), application.quotas[tier]),
    }),
  };
}
