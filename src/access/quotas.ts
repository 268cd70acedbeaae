import { refuse, type Refusal } from '../contract/errors.ts';
import type { Tier } from '../contract/limits.ts';
import type { Application } from '../db/applications.ts';
import { createBuckets } from './buckets.ts';

/** The quotas of all applications. Spec: Quotas per application. */
export interface Quotas {
  /** The quota step: takes one call, or refuses. */
  take(application: Application, tier: Tier): Refusal<'rate_limited'> | null;
  /** For a call that ended before the quota step: takes one, and never refuses. */
  debit(application: Application, tier: Tier): void;
  /** For a call that turned out to be a repeat after all: puts back what it took. */
  giveBack(application: Application, tier: Tier): void;
  /** What the `RateLimit` headers say. */
  state(
    application: Application,
    tier: Tier,
  ): { perMinute: number; remaining: number; fullInSeconds: number };
}

/** Quotas in this process. `elapsedMs` is a clock that nobody sets. */
export function createQuotas(elapsedMs?: () => number): Quotas {
  const buckets = createBuckets(elapsedMs);
  const nameOf = (application: Application, tier: Tier) => `${application.applicationId} ${tier}`;
  return {
    take(application, tier) {
      const wait = buckets.take(nameOf(application, tier), application.quotas[tier]);
      return wait === 0 ? null : { ...refuse('rate_limited'), retryAfterSeconds: wait };
    },
    debit: (application, tier) =>
      buckets.debit(nameOf(application, tier), application.quotas[tier]),
    giveBack: (application, tier) =>
      buckets.giveBack(nameOf(application, tier), application.quotas[tier]),
    state: (application, tier) => ({
      perMinute: application.quotas[tier],
      ...buckets.state(nameOf(application, tier), application.quotas[tier]),
    }),
  };
}
