import type { EpochMs } from '../../contract/time.ts';
import { type AccountPayment, sumOf } from './allocation.ts';
import { type Refusal, triedAgainAt } from './refusal.ts';
import type {
  MoneyWait,
  AccountRefund,
  CollectionAct,
  CollectionFacts,
} from './collection-facts.ts';

/** What the rule of refunds has decided. */
interface Refunding {
  act: CollectionAct | null;
  /** When a refused refund is tried again; null: not by itself. */
  again: EpochMs | null;
  waits: MoneyWait[];
  resolved: string[];
}

/** Whether the outcome of a refund is not known yet. */
export const isBegun = ({ state }: Pick<AccountRefund, 'state'>): boolean =>
  state === 'requested' || state === 'unknown';

const counts = ({ state }: AccountRefund): boolean => state !== 'refused' && state !== 'failed';

/** What a payment has left to refund, in minor units. */
export const refundableOf = (
  { paymentId, state, amountMinor }: Pick<AccountPayment, 'paymentId' | 'state' | 'amountMinor'>,
  refunds: readonly AccountRefund[],
): number =>
  state === 'captured'
    ? amountMinor - sumOf(refunds.filter((one) => one.paymentId === paymentId && counts(one)))
    : 0;

/** What is to be given back and not yet begun. */
function wantedOf({ balances: { open, owed }, refunds }: CollectionFacts) {
  const begun = refunds.filter(isBegun);
  const ofOwed = Math.max(0, owed - sumOf(begun.filter(({ isOwed }) => isOwed)));
  const surplus = Math.max(0, -(open + owed) - sumOf(begun.filter(({ isOwed }) => !isOwed)));
  return { ofOwed, surplus };
}

const refusalsOf = (refunds: readonly AccountRefund[], paymentId: string): Refusal[] =>
  refunds.flatMap((one) =>
    one.paymentId === paymentId && one.state === 'refused' && one.refusal ? [one.refusal] : [],
  );

const failedWait = (failed: readonly AccountRefund[], amountMinor: number): MoneyWait => ({
  kind: 'refund_failed',
  part: 'refund',
  amountMinor,
  reason: 'sent_back',
  code: failed.at(-1)!.refusal!.code,
  since: failed[0]!.refusal!.at,
});

/** What waits because no payment can return it now. */
function refusedWait(refusals: readonly Refusal[], amountMinor: number, now: EpochMs): MoneyWait {
  const last = refusals.toSorted((a, b) => a.at - b.at).at(-1);
  return {
    kind: 'refund_refused',
    part: 'refund',
    amountMinor,
    reason: last ? last.kind : 'not_by_card',
    code: last?.code ?? null,
    since: refusals.reduce((first, { at }) => Math.min(first, at), now),
  };
}

/**
 * Decides about what is to be given back: of the latest payment first, each at most to its amount. A refund that the
 * bank has sent back waits for staff, because the same card would send it back again. A payment whose refund was
 * refused is left for an earlier one. Spec: MONEY-3.
 */
export function decideRefunding(facts: CollectionFacts): Refunding {
  const { payments, refunds, limits, now } = facts;
  const { ofOwed, surplus } = wantedOf(facts);
  const wanted = ofOwed + surplus;
  const bound = refunds.filter(({ refusal }) => refusal !== null);
  if (wanted === 0) {
    const isAnyBegun = refunds.some(isBegun);
    const resolved = isAnyBegun ? [] : bound.map(({ refundId }) => refundId);
    return { act: null, again: null, waits: [], resolved };
  }
  const failed = bound.filter(({ state }) => state === 'failed');
  const stuck = Math.min(wanted, sumOf(failed));
  const waits = stuck > 0 ? [failedWait(failed, stuck)] : [];
  const free = wanted - stuck;
  if (free === 0) return { act: null, again: null, waits, resolved: [] };
  const candidates = payments
    .toReversed()
    .map((one) => ({
      paymentId: one.paymentId,
      left: refundableOf(one, refunds),
      at: triedAgainAt(refusalsOf(refunds, one.paymentId)),
    }))
    .filter(({ left }) => left > 0);
  const isOwed = ofOwed > 0;
  const most = Math.min(free, isOwed ? ofOwed : surplus);
  const ready = candidates.find(({ at }) => at !== null && at <= now);
  const amount = ready ? Math.min(most, ready.left) : 0;
  const amountMinor = amount - (amount % limits.multipleOf);
  if (ready && amountMinor > 0) {
    const act = { act: 'refund', paymentId: ready.paymentId, amountMinor, isOwed } as const;
    return { act, again: null, waits, resolved: [] };
  }
  const refusals = candidates.flatMap(({ paymentId }) => refusalsOf(refunds, paymentId));
  const times = candidates.flatMap(({ at }) => (at === null || at <= now ? [] : [at]));
  return {
    act: null,
    again: times.length === 0 ? null : Math.min(...times),
    waits: [
      ...waits,
      ready
        ? { ...refusedWait([], free, now), reason: 'amount' }
        : refusedWait(refusals, free, now),
    ],
    resolved: [],
  };
}
