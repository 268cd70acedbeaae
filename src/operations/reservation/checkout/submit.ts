import { decideSubmit } from '../../../domain/checkout.ts';
import type { Checkout } from '../../../domain/booking.ts';
import { askPort } from '../../../supply/index.ts';
import type { Context } from '../../context.ts';
import { checkoutCommand } from './command.ts';
import { acceptedHeaders, statusView } from './view.ts';

const verifyMs = 2_000;

/** Whether it is known already that the guest has to act; otherwise the authorization will tell. */
async function isActionNeeded({ payment }: Context, checkout: Checkout): Promise<boolean> {
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
