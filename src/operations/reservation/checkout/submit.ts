import { decideSubmit } from '../../../domain/checkout.ts';
import { checkoutCommand } from './command.ts';
import { acceptedHeaders, statusView } from './view.ts';

/** Spec: Per-operation shapes, submit. */
export const submitCheckout = checkoutCommand('reservation.checkout.submit', {
  decide({ context, body }, checkout, now) {
    const method = checkout.paymentMethodId;
    const actionNeeded = method !== null && context.payment.needsAction(method);
    return decideSubmit(checkout, body.termsVersion, actionNeeded, now);
  },
  reply({ context }, { checkout, now }) {
    const body = statusView(context, checkout, now);
    const location = `/v1/checkouts/${body.checkoutId}/status`;
    return { status: 202, body, ...acceptedHeaders(location, body) };
  },
});
