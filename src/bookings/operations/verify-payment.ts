import { isRefusal, refuse, refuseBecause, type Refusal } from '../../contract/errors.ts';
import { askPort } from '../ports/ask-port.ts';
import type { Checkout } from '../rules/booking.ts';
import { decideVerifyPayment } from '../rules/checkout.ts';
import { checkoutCommand, type CheckoutCall } from './checkout-command.ts';
import { acceptedHeaders, checkoutAnswer } from './checkout-view.ts';

const operation = 'reservation.checkout.verifyPayment';
const verifyMs = 3_000;

/** Asks the provider about the payment method. Null: the setup succeeded with it. Spec: CARD-4. */
async function methodRefusal(
  { context, body }: CheckoutCall<typeof operation>,
  checkout: Checkout,
): Promise<Refusal<'conflict' | 'unavailable'> | null> {
  const answer = await askPort(verifyMs, (signal) =>
    context.payment.verify(checkout, body, signal),
  );
  if (answer.outcome === 'done') return null;
  return answer.outcome === 'refused'
    ? refuse('conflict', { reason: 'payment_method' })
    : refuseBecause('unavailable', 'The payment provider does not answer just now.');
}

/** Returns 202 if the checkout continues after an authentication. Spec: CARD-4, CARD-5. */
export const verifyPayment = checkoutCommand(operation, {
  async decide(call, checkout, now) {
    const change = decideVerifyPayment(checkout, call.body, now);
    // After an authentication the payment itself is looked up.
    if (isRefusal(change) || checkout.state === 'requires_action') return change;
    return (await methodRefusal(call, checkout)) ?? change;
  },
  reply({ context }, { checkout, now }) {
    const answer = checkoutAnswer(context, checkout, now);
    if (checkout.submittedAt === null) return answer;
    const location = `/v1/checkouts/${checkout.bookingId}/status`;
    return { ...answer, status: 202, ...acceptedHeaders(location, answer.body) };
  },
});
