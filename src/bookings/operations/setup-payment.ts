import { decideSetupPayment } from '../rules/checkout.ts';
import { checkoutCommand } from './checkout-command.ts';
import { acceptedHeaders, checkoutAnswer } from './checkout-view.ts';

/** Spec: CARD-1. */
export const setupPayment = checkoutCommand('reservation.checkout.setupPayment', {
  decide: (_call, checkout, now) => decideSetupPayment(checkout, now),
  reply({ context }, { checkout, now }) {
    const answer = checkoutAnswer(context, checkout, now);
    const location = `/v1/checkouts/${checkout.bookingId}`;
    return { ...answer, status: 202, ...acceptedHeaders(location, answer.body) };
  },
});
