import type { EpochMs } from '../../contract/time.ts';
import type { Terms } from '../../contract/partner/schemas/quote.ts';
import { collectedBy } from '../../pricing/index.ts';
import type { Reservation } from './booking.ts';
import type { RefundAmounts } from './cancel-reservation.ts';

/** What a reservation costs, and what of it is collected, open or refunded, in minor units: due = collected + open − refunded. */
export interface ReservationBalances {
  due: number;
  collected: number;
  /** Still to be collected; below 0: still to be refunded. */
  open: number;
  refunded: number;
  /** What staff have decided to give back and the guest has not yet got; it is in `open`. */
  owed: number;
}

/**
 * The refund by the terms for a cancellation now: that of the first instant that has not passed, else 0.
 * Spec: TERMS-2.
 */
export const refundByTerms = (cancellation: Terms['cancellation'], now: EpochMs): number =>
  cancellation.find(({ before }) => now < Date.parse(before))?.refundAmount ?? 0;

/** A share of an amount, rounded half away from zero. Products of amounts exceed safe integers. */
const shareOf = (amount: number, part: number, whole: number): number =>
  whole === 0
    ? 0
    : Number((2n * BigInt(amount) * BigInt(part) + BigInt(whole)) / (2n * BigInt(whole)));

/** The facts that decide the amounts of a cancellation. */
export interface RefundFacts {
  reservation: Pick<Reservation, 'charges'>;
  /** The refunds of the reservation as it is now. */
  cancellation: Terms['cancellation'];
  /** Null: the partner collects. */
  balances: ReservationBalances | null;
  now: EpochMs;
  /** The day number at the property. */
  today: number;
}

/**
 * What a cancellation now depends on. If we collect the money, the percentage of the terms applies to what
 * was collected by the ledger. Any amount above the price is always refunded, so it does not count.
 * Spec: TERMS-5.
 */
export function refundAmounts(facts: RefundFacts): RefundAmounts {
  const { reservation, cancellation, balances, now, today } = facts;
  const scheduled = collectedBy(reservation.charges.schedule, today);
  const byTerms = refundByTerms(cancellation, now);
  if (balances === null) return { collected: scheduled, byTerms };
  const kept = balances.collected - balances.refunded - balances.owed;
  const collected = Math.min(kept, balances.due);
  return { collected, byTerms: Math.min(collected, shareOf(byTerms, collected, scheduled)) };
}
