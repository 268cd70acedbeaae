import type { Balances } from './settlement.ts';

/** What can be given back now: what was collected and not refunded, at most what is due, in minor units. */
export const refundable = ({ due, collected, refunded }: Balances): number =>
  Math.max(0, Math.min(due, collected - refunded));

/** The balances after staff have given an amount back: less is due, and that is to be refunded. */
export const balancesAfterRefund = (
  { due, collected, open, refunded }: Balances,
  amountMinor: number,
): Balances => ({ due: due - amountMinor, collected, open: open - amountMinor, refunded });
