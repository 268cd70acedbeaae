import { decideVerifyPayment } from '../rules/checkout.ts';
import { checkoutCommand } from './checkout-command.ts';
import { acceptedHeaders, checkoutAnswer } from './checkout-view.ts';

/** Returns 202 if the checkout continues after an authentication. Spec: Per-operation shapes, payment-method. */
export const verifyPayment = checkoutCommand('reservation.checkout.verifyPayment', {
  decide: ({ body }, checkout, now) => decideVerifyPayment(checkout, body, now),
  reply({ context }, { checkout, now }) {
    const answer = checkoutAnswer(context, checkout, now);
    if (checkout.submittedAt === null) return answer;
    const location = `/v1/checkouts/${checkout.bookingId}/status`;
    return { ...answer, status: 202, ...acceptedHeaders(location, answer.body) };
  },
});
