import { isRefusal } from '../../../contract/errors.ts';
import { decideSaveGuest } from '../../../domain/checkout.ts';
import type { Operation } from '../../call.ts';
import { runCommand, type CommandRules } from './command.ts';
import { checkoutView, versionTag } from './view.ts';

/** Spec: Per-operation shapes, guest. */
export const saveGuest: Operation<'reservation.checkout.saveGuest'> = async (house, call) => {
  const rules: CommandRules<never> = {
    decide: ({ checkout, present }) => decideSaveGuest(checkout, call.body.guest, present),
  };
  const done = await runCommand(house, 'reservation.checkout.saveGuest', call, rules);
  if (isRefusal(done)) return done;
  const body = checkoutView(house, done.checkout, done.present);
  return { status: 200, body, etag: versionTag(body.version) };
};
