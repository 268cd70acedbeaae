import { decideSubmit } from '../rules/checkout.ts';
import type { Checkout } from '../rules/booking.ts';
import { askPort } from '../ports/ask-port.ts';
import { type BookingContext } from '../context.ts';
import { checkoutCommand } from './checkout-command.ts';
import { acceptedHeaders, statusView } from './checkout-view.ts';

const verifyMs = 2_000;

/** Whether the guest is known to need authentication. If unknown, the authorization decides later. */
async function isActionNeeded({ payment }: BookingContext, checkout: Checkout): Promise<boolean> {
  if (checkout.paymentMethodId === null) return false;
  const verified = await askPort(verifyMs, (signal) => payment.verify(checkout, signal));
  return verified.outcome === 'done' && verified.needsAction;
}

/** Spec: Per-operation shapes, submit. */
export const submitCheckout = checkoutCommand('reservation.checkout.submit', {
  async decide({ context, body }, checkout, now) {
    const actionNeeded = await isActionNeeded(context, checkout);
    return decideSubmit(checkout, body.termsVersion, actionNeeded, now);
  },
  reply({ context }, { checkout, now }) {
    const body = statusView(context, checkout, now);
    const location = `/v1/checkouts/${body.checkoutId}/status`;
    return { status: 202, body, ...acceptedHeaders(location, body) };
  },
});
