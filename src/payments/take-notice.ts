import type { Executor } from '../platform/postgres/database.ts';
import { isUuid } from '../platform/uuid.ts';
import type { PaymentNotice } from './ports/payment-events.ts';
import { enterDispute, findNoticedPayment, isAnswerAwaited } from './store/notices.ts';
import { noteRefundsChanged } from './store/refund-comparison.ts';
import { lookAtLinkNow } from './store/payment-links.ts';
import { checkRefundsNow } from './store/refund-checks.ts';
import { wakePayment } from './wake.ts';

/**
 * Handles an event of the provider: looks up the payment now instead of after its delay, and notes a dispute.
 * The event itself decides nothing. A payment that is not ours is ignored. `later`: a refund or dispute of a payment
 * that may be one of ours whose answer is still awaited, so that its name is not known; the provider tells it again.
 * Spec: MONEY-12.
 */
export async function takePaymentNotice(
  executor: Executor,
  { eventReference, providerReference, paymentId, refund, dispute }: PaymentNotice,
): Promise<'taken' | 'later'> {
  const named = paymentId !== null && isUuid(paymentId) ? paymentId : null;
  const found = await findNoticedPayment(executor, { providerReference, paymentId: named });
  if (found === null) {
    const isTold = refund !== null || dispute !== null;
    return isTold && (await isAnswerAwaited(executor)) ? 'later' : 'taken';
  }
  if (refund) {
    await checkRefundsNow(executor, found);
    await noteRefundsChanged(executor, found, refund);
  }
  if (dispute) await enterDispute(executor, found, { ...dispute, eventReference });
  await lookAtLinkNow(executor, found);
  await wakePayment(executor, found);
  return 'taken';
}
