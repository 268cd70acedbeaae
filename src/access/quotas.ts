import { after, type MaybePromise } from '../api/maybe-promise.ts';
import type { Refusal } from '../contract/errors.ts';
import { limits, type Tier } from '../contract/limits.ts';
import type { Application } from './store/applications.ts';
import { type Buckets, type BucketState, rateRefusal } from './buckets.ts';

/** The quotas of all applications. Spec: QUOTA-1. */
export interface Quotas {
  /** Consumes one call, or refuses. */
  consume(application: Application, tier: Tier): MaybePromise<Refusal<'rate_limited'> | null>;
  /** Counts a repeat; refuses it if there were many times more than the quota in a minute. Spec: QUOTA-10. */
  repeat(application: Application, tier: Tier): MaybePromise<Refusal<'rate_limited'> | null>;
  /** Refunds a call that turned out to be a repeat. */
  refund(application: Application, tier: Tier): MaybePromise<void>;
  /** Consumes one call for a request that ended before the quota step. Never refuses. */
  debit(application: Application, tier: Tier): MaybePromise<void>;
  /** The values of the `RateLimit` headers. */
  state(application: Application, tier: Tier): MaybePromise<BucketState>;
}

const nameOf = ({ applicationId }: Application, tier: Tier): string => `${applicationId} ${tier}`;

/** Counts the calls of applications in buckets, one for each tier. */
export const createQuotas = (buckets: Buckets): Quotas => ({
  consume: (application, tier) =>
    after(buckets.take(nameOf(application, tier), application.quotas[tier]), rateRefusal),
  repeat: (application, tier) =>
    after(
      buckets.take(
        `repeats ${nameOf(application, tier)}`,
        application.quotas[tier] * limits.repeatsPerCall,
      ),
      rateRefusal,
    ),
  debit: (application, tier) => buckets.debit(nameOf(application, tier), application.quotas[tier]),
  refund: (application, tier) =>
    buckets.giveBack(nameOf(application, tier), application.quotas[tier]),
  state: (application, tier) => buckets.state(nameOf(application, tier), application.quotas[tier]),
});
