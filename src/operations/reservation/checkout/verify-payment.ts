import { isRefusal, type Refusal } from '../../../contract/errors.ts';
import { decideVerifyPayment } from '../../../domain/checkout.ts';
import type { Operation } from '../../call.ts';
import { cardOnly, runCommand, type CommandRules } from './command.ts';
import { acceptedHeaders, checkoutView, versionTag } from './view.ts';

/** 202 where it goes on after a step of authentication. Spec: Per-operation shapes, payment-method. */
export const verifyPayment: Operation<'reservation.checkout.verifyPayment'> = async (
  house,
  call,
) => {
  const rules: CommandRules<Refusal<'payment_not_required' | 'invalid_state' | 'conflict'>> = {
    settlement: cardOnly,
    decide: ({ checkout, present }) => decideVerifyPayment(checkout, call.body, present),
  };
  const done = await runCommand(house, 'reservation.checkout.verifyPayment', call, rules);
  if (isRefusal(done)) return done;
  const body = checkoutView(house, done.checkout, done.present);
  const etag = versionTag(body.version);
  if (done.checkout.submittedAt === null) return { status: 200, body, etag };
  const location = `/v1/checkouts/${body.checkoutId}/status`;
  return { status: 202, body, etag, ...acceptedHeaders(location, body) };
};
