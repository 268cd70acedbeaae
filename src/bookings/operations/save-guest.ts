import { decideSaveGuest } from '../rules/checkout.ts';
import { checkoutCommand } from './checkout-command.ts';
import { checkoutAnswer } from './checkout-view.ts';

/** Spec: CHECKOUT-5. */
export const saveGuest = checkoutCommand('reservation.checkout.saveGuest', {
  decide: ({ body }, checkout, now) => decideSaveGuest(checkout, body.guest, now),
  reply: ({ context }, { checkout, now }) => checkoutAnswer(context, checkout, now),
});
