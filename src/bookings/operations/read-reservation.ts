import {
  findConfirmedStay,
  findReservation,
  updateReservation,
  type FoundReservation,
} from '../store/reservations.ts';
import { decideAnnounced } from '../rules/reservation.ts';
import { type BookingContext } from '../context.ts';

/** Reads a reservation, and first applies an announced change that is due. */
async function readCurrent(
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

/**
 * Reads a reservation. Until the operator's records have it, it has the dates, party and charges of the
 * confirmed booking, also if it has been changed since. Spec: Resources, Reservation.
 */
export async function readReservation(
  context: BookingContext,
  applicationId: string,
  reference: string,
): Promise<FoundReservation | undefined> {
  const found = await readCurrent(context, applicationId, reference);
  if (!found) return undefined;
  const { reservation } = found;
  const isChanged = reservation.updatedAt > reservation.confirmedAt;
  if (reservation.materializedAt !== null || !isChanged) return found;
  const confirmed = await findConfirmedStay(context.executor, reservation);
  return { ...found, reservation: { ...reservation, ...confirmed } };
}
