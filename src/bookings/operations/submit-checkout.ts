import { decideSubmit } from '../rules/checkout.ts';
import { checkoutCommand } from './checkout-command.ts';
import { acceptedHeaders, statusView } from './checkout-view.ts';

/** Spec: Per-operation shapes, submit. */
export const submitCheckout = checkoutCommand('reservation.checkout.submit', {
  decide: ({ context, body }, checkout, now) =>
    decideSubmit(checkout, body.termsVersion, context.payment.needsAction(checkout), now),
  reply({ context }, { checkout, now }) {
    const body = statusView(context, checkout, now);
    const location = `/v1/checkouts/${body.checkoutId}/status`;
    return { status: 202, body, ...acceptedHeaders(location, body) };
  },
});
