/** A reservation for somebody who phones, and its payment link. */
import { staffActs, stepUpRefusal } from '../../api/staff-acts.ts';
import { createReservation } from '../../bookings/index.ts';
import { isRefusal } from '../../contract/errors.ts';
import { refuseConflict } from '../../contract/operator/errors.ts';
import { makePaymentLink } from '../../payments/index.ts';
import type { CommandLineContext } from '../context.ts';

/** The link for what is due now. Null: the card provider did not make one; it can be asked for again. */
async function linkFor(
  context: CommandLineContext,
  actor: string,
  reference: string,
): Promise<string | null> {
  const made = await makePaymentLink(context, actor, reference);
  return isRefusal(made) ? null : made.url;
}

/** What staff do for somebody who phones. */
export const newReservationActs = staffActs<CommandLineContext>()({
  'operator.reservation.create': async ({ context, actor, body, dryRun }) => {
    const wantsLink = body.pay === 'link';
    if (wantsLink && context.cardProvider === null) {
      return refuseConflict(
        'There is no card provider, so there is no payment link. Nothing was kept.',
      );
    }
    const refused = wantsLink && !dryRun ? stepUpRefusal(actor) : null;
    if (refused) return refused;
    const created = await createReservation(context.bookings, actor.name, { ...body, dryRun });
    if (isRefusal(created)) return created;
    const { reference, dueNow } = created;
    const url =
      wantsLink && reference !== null && dueNow > 0
        ? await linkFor(context, actor.name, reference)
        : null;
    return { ...created, url };
  },
});
