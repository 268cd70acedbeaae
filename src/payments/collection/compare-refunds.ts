import type { PortAnswer } from '../../bookings/index.ts';
import type { Executor } from '../../platform/postgres/database.ts';
import type { CardProvider } from '../ports/card-provider.ts';
import type { Intent } from '../rules/intent.ts';
import { compareRefunds, type RefundsCompared } from '../rules/refund-comparison.ts';
import { listKeptRefunds } from '../store/refund-comparison.ts';

/** The dependencies of a comparison. */
interface ComparisonContext {
  executor: Executor;
  provider: CardProvider;
}

/** Asks the provider which refunds it has of a captured payment, and compares them with our rows. */
export async function compareAtProvider(
  { executor, provider }: ComparisonContext,
  { paymentId, providerReference, amountMinor }: Intent,
  signal: AbortSignal,
): Promise<PortAnswer<RefundsCompared>> {
  // A captured payment has a reference.
  const found = await provider.refundsOf({ providerReference: providerReference! }, signal);
  if (found.outcome !== 'done') return found;
  const kept = await listKeptRefunds(executor, paymentId);
  return { outcome: 'done', ...compareRefunds(amountMinor, kept, found.refunds) };
}
