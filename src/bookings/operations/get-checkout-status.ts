import { findCheckoutStatus } from '../store/checkouts.ts';
import { afterStep } from './after-step.ts';
import { read } from '../context.ts';
import { statusView } from './checkout-view.ts';

/** Reads the status and changes nothing. Spec: CHECKOUT-4. */
export const getCheckoutStatus = read('reservation.checkout.getStatus', {
  notFound: 'There is no checkout with this checkoutId.',
  load: ({ context, actor: { applicationId }, params: { checkoutId } }) =>
    afterStep(context, { applicationId, bookingId: checkoutId }, () =>
      findCheckoutStatus(context.executor, applicationId, checkoutId),
    ),
  reply: ({ context }, { checkout, now }) => ({
    status: 200,
    body: statusView(context, checkout, now),
  }),
});
