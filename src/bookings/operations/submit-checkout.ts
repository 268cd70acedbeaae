import type { BookingContext } from '../context.ts';
import { isRefusal } from '../../contract/errors.ts';
import { askPort } from '../ports/ask-port.ts';
import { type Checkout, isPaidByCard } from '../rules/booking.ts';
import { decideSubmit } from '../rules/checkout.ts';
import { checkoutCommand } from './checkout-command.ts';
import { acceptedHeaders, statusView } from './checkout-view.ts';

const askingMs = 3_000;

/** Whether it is known that the guest has to act. If it is not known, the authorization shows it. */
async function needsAction({ payment }: BookingContext, checkout: Checkout): Promise<boolean> {
  if (!isPaidByCard(checkout)) return false;
  const answer = await askPort(askingMs, (signal) => payment.needsAction(checkout, signal));
  return answer.outcome === 'done' && answer.isNeeded;
}

/** Spec: CHECKOUT-7. */
export const submitCheckout = checkoutCommand('reservation.checkout.submit', {
  async decide({ context, actor, body }, checkout, now) {
    const isNeeded = await needsAction(context, checkout);
    const change = decideSubmit(checkout, body.termsVersion, isNeeded, now);
    const later = actor.application.scenario?.effects.pendingSeconds;
    if (later === undefined || isRefusal(change) || change.dueInSeconds !== 0) return change;
    return { ...change, dueInSeconds: later };
  },
  reply({ context }, { checkout, now }) {
    const body = statusView(context, checkout, now);
    const location = `/v1/checkouts/${body.checkoutId}/status`;
    return { status: 202, body, ...acceptedHeaders(location, body) };
  },
});
