import type { Actor } from '../api/call.ts';
import { after } from '../api/maybe-promise.ts';
import type { QuotaPort } from '../api/surface.ts';
import { changesSomething, type Row } from '../contract/rows.ts';
import { type MakeBuckets, rateRefusal } from './buckets.ts';
import { networkOf } from '../platform/network.ts';

/** Calls per minute: of an actor, and of an address that has no credentials yet. */
export interface CallLimits {
  callsPerMinute: number;
  /** Calls that may change something, each of which can leave an entry in the audit trail; absent: as all calls. */
  changesPerMinute?: number;
  triesPerMinute: number;
}

/** A quota for each actor, with a smaller one of changes if there is such a limit, and one for each address without credentials. Responses do not show it. */
export function createCallQuota<A extends Actor>(
  buckets: ReturnType<MakeBuckets>,
  { callsPerMinute, changesPerMinute, triesPerMinute }: CallLimits,
  nameOf: (actor: A) => string,
): QuotaPort<A> {
  const consume = (name: string, perMinute: number) =>
    after(buckets.take(name, perMinute), rateRefusal);
  const consumeChange = (name: string, row: Row) =>
    changesPerMinute !== undefined && changesSomething(row)
      ? consume(`changes of ${name}`, changesPerMinute)
      : null;
  return {
    consume: (actor, row, { ip }) =>
      actor
        ? after(
            consume(nameOf(actor), callsPerMinute),
            (refusal) => refusal ?? consumeChange(nameOf(actor), row),
          )
        : consume(`address ${networkOf(ip)}`, triesPerMinute),
    repeat: () => null,
    refund: () => undefined,
    debit: () => undefined,
    state: () => null,
  };
}
