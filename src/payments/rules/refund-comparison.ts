/** Which refunds the provider has of a payment that our rows do not have. */
import { refundNumberOf } from './adoption.ts';
import type { EffectOrigin } from './effect-name.ts';
import type { RefundState } from './collection-facts.ts';

/** The state of a refund at the provider. A `pending` one is on its way, and may still fail. */
export type RefundAtProvider = 'pending' | 'done' | 'failed';

/** A refund of one payment, whoever made it. */
export interface RefundOfPayment {
  refundReference: string;
  /** The ID of our row; null: somebody else made it. */
  refundId: string | null;
  origin: EffectOrigin | null;
  state: RefundAtProvider;
  amountMinor: number;
  /** Only with `failed`. */
  declineCode: string | null;
}

/** A refund as our rows have it. */
export interface KeptRefund {
  refundId: string;
  refundReference: string | null;
  number: number | null;
  amountMinor: number;
  state: RefundState;
}

/** What is written after a comparison. */
export interface RefundsCompared {
  /** Made elsewhere: they become rows of ours. */
  adopted: RefundOfPayment[];
  /** Ours, and the bank has sent them back. */
  sentBack: { refundId: string; declineCode: string | null }[];
  /** More than is left of the payment by our rows: somebody has to look. */
  tooMuch: RefundOfPayment[];
}

const isSame =
  ({ refundReference, refundId, origin }: RefundOfPayment) =>
  (kept: KeptRefund): boolean =>
    kept.refundReference === refundReference ||
    kept.refundId === refundId ||
    (kept.number !== null && kept.number === refundNumberOf(origin));

const counts = ({ state }: Pick<KeptRefund, 'state'>): boolean =>
  state !== 'refused' && state !== 'failed';

/**
 * Compares the refunds of a captured payment. What was sent back counts no more, so its amount may have been refunded
 * again. Spec: MONEY-21.
 */
export function compareRefunds(
  amountMinor: number,
  kept: readonly KeptRefund[],
  found: readonly RefundOfPayment[],
): RefundsCompared {
  const compared: RefundsCompared = { adopted: [], sentBack: [], tooMuch: [] };
  let left = amountMinor;
  for (const one of kept) if (counts(one)) left -= one.amountMinor;
  for (const one of found.filter(({ state }) => state === 'failed')) {
    const ours = kept.find(isSame(one));
    if (ours?.state !== 'done' || ours.refundReference !== one.refundReference) continue;
    compared.sentBack.push({ refundId: ours.refundId, declineCode: one.declineCode });
    left += ours.amountMinor;
  }
  for (const one of found) {
    const stands = one.state === 'pending' || one.state === 'done';
    if (!stands || kept.some(isSame(one))) continue;
    const isFitting = one.amountMinor <= left;
    (isFitting ? compared.adopted : compared.tooMuch).push(one);
    if (isFitting) left -= one.amountMinor;
  }
  return compared;
}
