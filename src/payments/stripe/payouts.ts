import type { Stripe } from 'stripe';
import type { CardProvider, ListedPayout, PayoutLine } from '../ports/card-provider.ts';
import { fromProviderAmount } from './amounts.ts';
import type { StripeClient } from './client.ts';
import { failureOf } from './failure.ts';
import { createdIn, nextOf, pageAfter } from './lookups.ts';

/** What a balance transaction is, by the provider's category. Any other is `other`. */
const kinds: Readonly<Record<string, PayoutLine['kind']>> = {
  charge: 'payment',
  refund: 'refund',
  refund_failure: 'refund',
  dispute: 'dispute',
  dispute_reversal: 'dispute',
  fee: 'fee',
  network_cost: 'fee',
  tax: 'fee',
};

function payoutOf(payout: Stripe.Payout): ListedPayout {
  const currency = payout.currency.toUpperCase();
  return {
    payoutReference: payout.id,
    arrivesOn: new Date(payout.arrival_date * 1_000).toISOString().slice(0, 10),
    currency,
    amountMinor: fromProviderAmount(payout.amount, currency),
    isExplained: payout.automatic,
  };
}

/** The payment that a balance transaction is about. Its source must be expanded. */
function paymentOf({ source }: Stripe.BalanceTransaction): string | null {
  if (source === null || typeof source === 'string' || !('payment_intent' in source)) return null;
  const { payment_intent: payment } = source as { payment_intent: string | { id: string } | null };
  return typeof payment === 'string' ? payment : (payment?.id ?? null);
}

function lineOf(transaction: Stripe.BalanceTransaction): PayoutLine {
  const currency = transaction.currency.toUpperCase();
  return {
    kind: kinds[transaction.reporting_category] ?? 'other',
    providerReference: paymentOf(transaction),
    amountMinor: fromProviderAmount(transaction.amount, currency),
    feeMinor: fromProviderAmount(transaction.fee, currency),
  };
}

/** Payouts to the operator's bank, and what they are made of. */
export const payouts = (
  client: StripeClient,
): Pick<CardProvider, 'listPayouts' | 'listPayoutLines'> => ({
  async listPayouts({ range, after }, signal) {
    try {
      const page = await client.call(signal, (stripe) =>
        stripe.payouts.list({ arrival_date: createdIn(range), ...pageAfter(after) }),
      );
      return { outcome: 'done', items: page.data.map(payoutOf), next: nextOf(page) };
    } catch (error) {
      failureOf(error);
      return { outcome: 'unknown' };
    }
  },

  async listPayoutLines({ payout: { payoutReference, isExplained }, after }, signal) {
    if (!isExplained) return { outcome: 'done', items: [], next: null };
    try {
      const page = await client.call(signal, (stripe) =>
        stripe.balanceTransactions.list({
          payout: payoutReference,
          ...pageAfter(after),
          expand: ['data.source'],
        }),
      );
      // The payout itself is one of them.
      const lines = page.data.filter(({ type }) => type !== 'payout').map(lineOf);
      return { outcome: 'done', items: lines, next: nextOf(page) };
    } catch (error) {
      failureOf(error);
      return { outcome: 'unknown' };
    }
  },
});
