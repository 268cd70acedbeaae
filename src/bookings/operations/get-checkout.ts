import { findCheckout } from '../store/checkouts.ts';
import { afterStep } from './after-step.ts';
import { read } from '../context.ts';
import { readReservation } from './read-reservation.ts';
import { checkoutAnswer } from './checkout-view.ts';

/** Reads a checkout and applies an announced change of its reservation. Spec: CHECKOUT-4, SIMULATION-4. */
export const getCheckout = read('reservation.checkout.get', {
  notFound: 'There is no checkout with this checkoutId.',
  load: ({ context, actor: { applicationId }, params: { checkoutId } }) =>
    afterStep(context, { applicationId, bookingId: checkoutId }, () =>
      findCheckout(context.executor, applicationId, checkoutId),
    ),
  async reply({ context }, { checkout, now }) {
    if (checkout.reference !== null) {
      await readReservation(context, checkout.applicationId, checkout.reference);
    }
    return checkoutAnswer(context, checkout, now);
  },
});
