import { refuseBecause, type Refusal } from '../../contract/errors.ts';
import type { EpochMs } from '../../contract/time.ts';
import type { BookingChange, Checkout } from '../rules/booking.ts';
import { decideRemovePromo } from '../rules/checkout.ts';
import { checkoutCommand } from './checkout-command.ts';
import { checkoutAnswer } from './checkout-view.ts';

const decide = (
  checkout: Checkout,
  now: EpochMs,
): BookingChange<Checkout> | Refusal<'invalid_state'> =>
  checkout.promotionCode === null
    ? refuseBecause('invalid_state', 'The checkout has no promotion code.')
    : decideRemovePromo(checkout, checkout.promotionCode, now);

/** Spec: PROMOTION-7. */
export const removePromo = checkoutCommand('reservation.checkout.removePromo', {
  decide: (_call, checkout, now) => decide(checkout, now),
  reply: ({ context }, { checkout, now }) => checkoutAnswer(context, checkout, now),
});
