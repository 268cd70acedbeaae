import { isRefusal, type Refusal } from '../../../contract/errors.ts';
import { decideSetupPayment } from '../../../domain/checkout.ts';
import type { Operation } from '../../call.ts';
import { cardOnly, runCommand, type CommandRules } from './command.ts';
import { acceptedHeaders, checkoutView, versionTag } from './view.ts';

/** Spec: Payment setup. */
export const setupPayment: Operation<'reservation.checkout.setupPayment'> = async (house, call) => {
  const rules: CommandRules<Refusal<'payment_not_required' | 'invalid_state'>> = {
    settlement: cardOnly,
    decide: ({ checkout, present }) => decideSetupPayment(checkout, present),
  };
  const done = await runCommand(house, 'reservation.checkout.setupPayment', call, rules);
  if (isRefusal(done)) return done;
  const body = checkoutView(house, done.checkout, done.present);
  return {
    status: 202,
    body,
    etag: versionTag(body.version),
    ...acceptedHeaders(`/v1/checkouts/${body.checkoutId}`, body),
  };
};
