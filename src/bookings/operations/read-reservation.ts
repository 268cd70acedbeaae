import {
  findReservation,
  updateReservation,
  type FoundReservation,
} from '../store/reservations.ts';
import { decideAnnounced } from '../rules/reservation.ts';
import { type BookingContext } from '../context.ts';

/** Reads a reservation, and first applies an announced change that is due. */
export async function readReservation(
  context: BookingContext,
  applicationId: string,
  reference: string,
): Promise<FoundReservation | undefined> {
  for (;;) {
    const found = await findReservation(context.executor, applicationId, reference);
    const update = found && decideAnnounced(found.reservation, found.now);
    if (!found || !update) return found;
    if (await updateReservation(context.executor, update)) {
      context.wakeDeliverer(applicationId);
      return { ...found, reservation: update.next };
    }
  }
}
