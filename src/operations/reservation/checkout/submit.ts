import { isRefusal, type Refusal } from '../../../contract/errors.ts';
import { decideSubmit } from '../../../domain/checkout.ts';
import type { Operation } from '../../call.ts';
import { runCommand, type CommandRules } from './command.ts';
import { acceptedHeaders, statusView } from './view.ts';

/** Spec: Per-operation shapes, submit. */
export const submitCheckout: Operation<'reservation.checkout.submit'> = async (house, call) => {
  const rules: CommandRules<Refusal<'conflict'>> = {
    decide: ({ checkout, present }) => {
      const method = checkout.paymentMethodId;
      const actionNeeded = method !== null && house.payment.needsAction(method);
      return decideSubmit(checkout, call.body.termsVersion, actionNeeded, present);
    },
  };
  const done = await runCommand(house, 'reservation.checkout.submit', call, rules);
  if (isRefusal(done)) return done;
  const body = statusView(house, done.checkout, done.present);
  const location = `/v1/checkouts/${body.checkoutId}/status`;
  return { status: 202, body, ...acceptedHeaders(location, body) };
};
