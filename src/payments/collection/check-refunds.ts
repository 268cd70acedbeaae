import type { Log } from '../../platform/log.ts';
import { askPort } from '../../bookings/index.ts';
import type { Executor } from '../../platform/postgres/database.ts';
import type { CardProvider } from '../ports/card-provider.ts';
import { nextRefundCheckDays } from '../rules/collection.ts';
import {
  claimRefundsToCheck,
  recordRefundFailed,
  recordRefundStands,
  type RefundToCheck,
} from '../store/refund-checks.ts';

/** The dependencies of the checks. */
export interface RefundCheckContext {
  executor: Executor;
  provider: CardProvider;
  log: Pick<Log, 'warn'>;
  /** The time of one call of the provider, in milliseconds. */
  askedMs?: number;
}

const usualAskedMs = 5_000;

async function check(context: RefundCheckContext, refund: RefundToCheck): Promise<void> {
  const { executor, provider, log, askedMs = usualAskedMs } = context;
  const found = await askPort(askedMs, (signal) =>
    // It was done, so the provider's reference is known.
    provider.findRefund({ ...refund, name: null }, signal),
  );
  if (found.outcome === 'unknown') return;
  if (found.state !== 'failed') {
    return recordRefundStands(executor, refund, nextRefundCheckDays(refund.checks + 1));
  }
  if (!(await recordRefundFailed(executor, refund, found.declineCode))) return;
  const { applicationId, checkoutId, refundId } = refund;
  const { declineCode } = found;
  log.warn({ applicationId, checkoutId, refundId, declineCode }, 'refund was sent back');
}

/**
 * Asks the provider about one batch of refunds that were done some days ago: a bank may send one back. Returns
 * how many were due. Spec: MONEY-15.
 */
export async function checkRefunds(context: RefundCheckContext, atMost: number): Promise<number> {
  const refunds = await claimRefundsToCheck(context.executor, atMost);
  await Promise.all(refunds.map((refund) => check(context, refund)));
  return refunds.length;
}
