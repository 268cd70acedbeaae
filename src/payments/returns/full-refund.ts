import type { Executor } from '../../platform/postgres/database.ts';
import type { CardProvider } from '../ports/card-provider.ts';
import { nameOfRefund } from '../rules/effect-name.ts';
import { type Intent, unknownResult } from '../rules/intent.ts';
import { findFullRefund, insertFullRefund } from '../store/full-refunds.ts';
import { recordRefund, type Refund } from '../store/refunds.ts';

/** The dependencies of a refund. */
interface RefundParts {
  executor: Executor;
  provider: CardProvider;
}

/** What is known of a refund after a call. */
type RefundKnown = 'done' | 'refused' | 'unknown';

const refundReason = 'no reservation was made';

/** How a refund that was asked for ended. Null: the provider does not have it. */
async function endOfRefund(
  { executor, provider }: RefundParts,
  intent: Intent,
  asked: Refund,
  signal: AbortSignal,
): Promise<RefundKnown | null> {
  if (asked.state === 'done') return 'done';
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
  const { refundReference: foundReference, declineCode } = found;
  await recordRefund(executor, asked, { state, refundReference: foundReference, declineCode });
  return state;
}

/** Sends a refund that the provider does not have. */
async function sendRefund(
  { executor, provider }: RefundParts,
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
    await recordRefund(executor, fresh, { state: 'refused', declineCode: answer.declineCode });
    return 'refused';
  }
  await recordRefund(executor, fresh, { state: 'done', refundReference: answer.refundReference });
  return 'done';
}

/**
 * Refunds all of a captured payment whose checkout has ended without a reservation; a refund that was asked for is
 * looked up first.
 */
export async function refundInFull(
  parts: RefundParts,
  intent: Intent,
  signal: AbortSignal,
): Promise<RefundKnown> {
  const { executor } = parts;
  const before = await findFullRefund(executor, intent.paymentId);
  const end = before && (await endOfRefund(parts, intent, before, signal));
  if (end) return end;
  const asked = before ?? (await insertFullRefund(executor, intent.paymentId, refundReason));
  return asked ? sendRefund(parts, intent, asked, signal) : 'unknown';
}
