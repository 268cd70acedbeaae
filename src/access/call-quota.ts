import type { Actor } from '../api/call.ts';
import { after } from '../api/maybe-promise.ts';
import type { QuotaPort } from '../api/surface.ts';
import { type MakeBuckets, rateRefusal } from './buckets.ts';
import { networkOf } from '../platform/network.ts';

/** Calls per minute: of an actor, and of an address that has no credentials yet. */
export interface CallLimits {
  callsPerMinute: number;
  triesPerMinute: number;
}

/** A quota for each actor, and one for each address without credentials. Responses do not show it. */
export function createCallQuota<A extends Actor>(
  buckets: ReturnType<MakeBuckets>,
  { callsPerMinute, triesPerMinute }: CallLimits,
  nameOf: (actor: A) => string,
): QuotaPort<A> {
  const consume = (name: string, perMinute: number) =>
    after(buckets.take(name, perMinute), rateRefusal);
  return {
    consume: (actor, _row, { ip }) =>
      actor
        ? consume(nameOf(actor), callsPerMinute)
        : consume(`address ${networkOf(ip)}`, triesPerMinute),
    refund: () => undefined,
    debit: () => undefined,
    state: () => null,
  };
}
