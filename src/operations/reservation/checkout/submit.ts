import { isRefusal, type Refusal } from '../../../contract/errors.ts';
import { decideSubmit } from '../../../domain/checkout.ts';
import type { Checkout } from '../../../domain/booking.ts';
import { askPort } from '../../../supply/index.ts';
import type { House, Operation } from '../../call.ts';
import { runCommand, type CommandRules } from './command.ts';
import { acceptedHeaders, statusView } from './view.ts';

const verifyMs = 2_000;

/** Whether it is known already that the guest has to act; otherwise the authorization will tell. */
async function isActionNeeded({ payment }: House, checkout: Checkout): Promise<boolean> {
  if (checkout.paymentMethodId === null) return false;
  const verified = await askPort(verifyMs, (signal) => payment.verify(checkout, signal));
  return verified.outcome === 'done' && verified.needsAction;
}

/** Spec: Per-operation shapes, submit. */
export const submitCheckout: Operation<'reservation.checkout.submit'> = async (house, call) => {
  const rules: CommandRules<Refusal<'conflict'>> = {
    decide: async ({ checkout, present }) => {
      const actionNeeded = await isActionNeeded(house, checkout);
      return decideSubmit(checkout, call.body.termsVersion, actionNeeded, present);
    },
  };
  const done = await runCommand(house, 'reservation.checkout.submit', call, rules);
  if (isRefusal(done)) return done;
  const body = statusView(house, done.checkout, done.present);
  const location = `/v1/checkouts/${body.checkoutId}/status`;
  return { status: 202, body, ...acceptedHeaders(location, body) };
};
