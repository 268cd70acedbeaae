import { decideSaveGuest } from '../../../domain/checkout.ts';
import { checkoutCommand } from './command.ts';
import { checkoutAnswer } from './view.ts';

/** Spec: Per-operation shapes, guest. */
export const saveGuest = checkoutCommand('reservation.checkout.saveGuest', {
  decide: ({ body }, checkout, now) => decideSaveGuest(checkout, body.guest, now),
  reply: ({ context }, { checkout, now }) => checkoutAnswer(context, checkout, now),
});
