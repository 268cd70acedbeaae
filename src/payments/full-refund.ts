import type { Checkout, Payment } from '../bookings/index.ts';
import type { Executor } from '../platform/postgres/database.ts';
import type { CardProvider } from './ports/card-provider.ts';
import { type EffectName, nameOfRefund } from './rules/effect-name.ts';
import { type Intent, unknownResult } from './rules/intent.ts';
import { findFullRefund, insertFullRefund } from './store/full-refunds.ts';
import { findIntentOfAttempt } from './store/intents.ts';
import { recordRefund, type Refund } from './store/refunds.ts';

/** The dependencies of a refund. */
interface RefundParts {
  executor: Executor;
  provider: CardProvider;
}

const done = { outcome: 'done' } as const;
const unknown = { outcome: 'unknown' } as const;
const declined = { outcome: 'refused', reason: 'declined' } as const;

const refundReason = 'no reservation was made';

/** What the provider knows a refund by. */
interface RefundTarget {
  name: EffectName | null;
  providerReference: string;
}

/** How a refund that was asked for ended. Null: the provider does not have it. */
async function endOfRefund(
  { executor, provider }: RefundParts,
  { asked, name, providerReference }: { asked: Refund } & RefundTarget,
  signal: AbortSignal,
): Promise<Awaited<ReturnType<Payment['refund']>> | null> {
  if (asked.state === 'done') return done;
  const { refundId, refundReference } = asked;
  const found = await provider.findRefund(
    { refundId, name, providerReference, refundReference },
    signal,
  );
  if (found.outcome === 'unknown' || signal.aborted) return unknown;
  if (found.state === 'none') return null;
  const { refundReference: foundReference, declineCode } = found;
  if (found.state === 'failed') {
    const result = { state: 'refused', refundReference: foundReference, declineCode } as const;
    await recordRefund(executor, asked, result);
    return declined;
  }
  await recordRefund(executor, asked, { state: 'done', refundReference: foundReference });
  return done;
}

/** Sends a refund that the provider does not have. */
async function sendRefund(
  { executor, provider }: RefundParts,
  asked: Refund,
  { intent, ...payment }: { intent: Intent; providerReference: string; currency: string },
  signal: AbortSignal,
): ReturnType<Payment['refund']> {
  const fresh = await recordRefund(executor, asked, { state: 'requested' });
  const { refundId, round, amountMinor, reason } = fresh;
  const name = nameOfRefund(intent, fresh);
  const call = { refundId, round, name, amountMinor, reason, ...payment };
  const answer = await provider.refund(call, signal);
  if (answer.outcome === 'unknown') {
    await recordRefund(executor, fresh, unknownResult(answer));
    return unknown;
  }
  if (answer.outcome === 'refused') {
    await recordRefund(executor, fresh, { state: 'refused', declineCode: answer.declineCode });
    return declined;
  }
  await recordRefund(executor, fresh, { state: 'done', refundReference: answer.refundReference });
  return done;
}

/** Refunds what a checkout without a reservation has paid. Spec: Card payments. */
export async function refundInFull(
  parts: RefundParts,
  { attemptId }: Pick<Checkout, 'attemptId'>,
  signal: AbortSignal,
): ReturnType<Payment['refund']> {
  const { executor } = parts;
  const intent = await findIntentOfAttempt(executor, attemptId);
  if (!intent) return unknown;
  const { paymentId, currency } = intent;
  const asked =
    (await findFullRefund(executor, paymentId)) ??
    (await insertFullRefund(executor, paymentId, refundReason));
  if (!asked) return unknown;
  const providerReference = intent.providerReference!;
  const name = nameOfRefund(intent, asked);
  const end = await endOfRefund(parts, { asked, name, providerReference }, signal);
  return end ?? sendRefund(parts, asked, { intent, providerReference, currency }, signal);
}
