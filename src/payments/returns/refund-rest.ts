import type { Executor } from '../../platform/postgres/database.ts';
import type { CardProvider } from '../ports/card-provider.ts';
import { nameOfRefund } from '../rules/effect-name.ts';
import { type Intent, unknownResult } from '../rules/intent.ts';
import { findStandingRefund, insertRefundOfRest } from '../store/refunds-of-returns.ts';
import { recordRefund, type Refund, type RefundResult } from '../store/refunds.ts';

/** The dependencies of a refund. */
interface RefundContext {
  executor: Executor;
  provider: CardProvider;
}

/** What is known of a refund after a call. */
type RefundKnown = 'done' | 'refused' | 'unknown';

const refundReason = 'no reservation was made';

/** How a refund that was asked for ended. Null: the provider does not have it. */
async function endOfRefund(
  { executor, provider }: RefundContext,
  intent: Intent,
  asked: Refund,
  signal: AbortSignal,
): Promise<RefundKnown | null> {
  const { refundId, refundReference } = asked;
  const name = nameOfRefund(intent, asked);
  const providerReference = intent.providerReference!;
  const found = await provider.findRefund(
    { refundId, name, providerReference, refundReference },
    signal,
  );
  if (found.outcome === 'unknown' || signal.aborted) return 'unknown';
  if (found.state === 'none') return null;
  const state = found.state === 'failed' ? 'refused' : 'done';
  const { refundReference: foundReference, declineCode, refusedAs } = found;
  const result: RefundResult = { state, refundReference: foundReference, declineCode, refusedAs };
  await recordRefund(executor, asked, result);
  return state;
}

/** Sends a refund that the provider does not have. */
async function sendRefund(
  { executor, provider }: RefundContext,
  intent: Intent,
  asked: Refund,
  signal: AbortSignal,
): Promise<RefundKnown> {
  const fresh = await recordRefund(executor, asked, { state: 'requested' });
  const { refundId, round, amountMinor, reason } = fresh;
  const { currency } = intent;
  const name = nameOfRefund(intent, fresh);
  const providerReference = intent.providerReference!;
  const call = { refundId, round, name, amountMinor, currency, reason, providerReference };
  const answer = await provider.refund(call, signal);
  if (answer.outcome === 'unknown') {
    await recordRefund(executor, fresh, unknownResult(answer));
    return 'unknown';
  }
  if (answer.outcome === 'refused') {
    const { declineCode, kind: refusedAs } = answer;
    await recordRefund(executor, fresh, { state: 'refused', declineCode, refusedAs });
    return 'refused';
  }
  await recordRefund(executor, fresh, { state: 'done', refundReference: answer.refundReference });
  return 'done';
}

/**
 * Refunds what is left of a captured payment whose checkout has ended without a reservation; a refund that was asked
 * for is looked up first.
 */
export async function refundRest(
  context: RefundContext,
  intent: Intent,
  signal: AbortSignal,
): Promise<RefundKnown> {
  const { executor } = context;
  const standing = await findStandingRefund(executor, intent.paymentId);
  const begun = standing?.state === 'done' ? null : standing;
  const end = begun && (await endOfRefund(context, intent, begun, signal));
  if (end) return end;
  const asked = begun ?? (await insertRefundOfRest(executor, intent.paymentId, refundReason));
  return asked ? sendRefund(context, intent, asked, signal) : 'unknown';
}
