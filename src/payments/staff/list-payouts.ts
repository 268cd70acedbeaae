import { dayMs } from '../../contract/time.ts';
import { isRefusal, type Refusal } from '../../contract/errors.ts';
import { refuseConflict } from '../../contract/operator/errors.ts';
import type { CardProvider, ListedPayout, PayoutLine } from '../ports/card-provider.ts';
import { findReservationsOf } from '../store/reconciliation.ts';
import { type ListContext, noProvider, pagesOf } from './provider-lists.ts';

const startOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);

async function linesOf(
  context: ListContext,
  payout: ListedPayout,
): Promise<PayoutLine[] | Refusal<'conflict'>> {
  const lines: PayoutLine[] = [];
  const pages = pagesOf<PayoutLine>(context, (after, signal) =>
    context.provider.listPayoutLines({ payout, after }, signal),
  );
  for await (const page of pages) {
    if (isRefusal(page)) return page;
    lines.push(...page);
  }
  return lines;
}

/** A payout with its lines: the amounts less the fees add up to it. Amounts in minor units. */
async function payoutView(context: ListContext, payout: ListedPayout) {
  const lines = await linesOf(context, payout);
  if (isRefusal(lines)) return lines;
  const references = lines.flatMap(({ providerReference: one }) => (one === null ? [] : [one]));
  const reservations = await findReservationsOf(context.executor, references);
  const { payoutReference, arrivesOn, currency, amountMinor } = payout;
  return {
    payoutId: payoutReference,
    arrivesOn,
    currency,
    amount: amountMinor,
    lines: lines.map(({ kind, providerReference, amountMinor: amount, feeMinor: fee }) => ({
      kind,
      reference: reservations.get(providerReference ?? '') ?? null,
      amount,
      fee,
    })),
  };
}

/**
 * Lists the payouts of the card provider that arrive on these days, both included, each tied to the payments, refunds
 * and fees that it is made of. Spec: MONEY-18.
 */
export async function listPayouts(
  { provider, ...rest }: Omit<ListContext, 'provider'> & { provider: CardProvider | null },
  { from, to }: { from: string; to: string },
) {
  if (!provider) return noProvider;
  if (to < from) return refuseConflict('The last day is before the first.');
  const context = { ...rest, provider };
  const range = { since: startOf(from), until: startOf(to) + dayMs };
  const items: Exclude<Awaited<ReturnType<typeof payoutView>>, Refusal>[] = [];
  const pages = pagesOf<ListedPayout>(context, (after, signal) =>
    provider.listPayouts({ range, after }, signal),
  );
  for await (const page of pages) {
    if (isRefusal(page)) return page;
    for (const payout of page) {
      const view = await payoutView(context, payout);
      if (isRefusal(view)) return view;
      items.push(view);
    }
  }
  // The provider lists the newest first.
  return { items: items.toReversed() };
}
