import {
  findConfirmedStay,
  findReservation,
  updateReservation,
  type FoundReservation,
} from '../store/reservations.ts';
import type { Reservation } from '../rules/booking.ts';
import { decideAnnounced } from '../rules/reservation.ts';
import type { BookingContext } from '../context.ts';
import { decideDueRequest } from './decide-due-request.ts';

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

/** The stay and time of the confirmation, for a reservation that the records elsewhere do not have yet. */
async function confirmedStay(
  { executor }: BookingContext,
  reservation: Reservation,
): Promise<Reservation> {
  const { state, confirmedAt, updatedAt } = reservation;
  return {
    ...reservation,
    ...(await findConfirmedStay(executor, reservation)),
    updatedAt: state === 'cancelled' ? updatedAt : confirmedAt,
  };
}

/**
 * Reads a reservation. Until records elsewhere have it, it has the dates, party and charges of the confirmed
 * booking, also if staff have changed it since. Spec: RECORD-1.
 */
export async function readReservation(
  context: BookingContext,
  applicationId: string,
  reference: string,
): Promise<FoundReservation | undefined> {
  await decideDueRequest(context, { applicationId, reference });
  const found = await readCurrent(context, applicationId, reference);
  return found && asRecorded(context, found);
}

/** A reservation as its read shows it until records elsewhere have it. */
export async function asRecorded(
  context: BookingContext,
  found: FoundReservation,
): Promise<FoundReservation> {
  const { reservation } = found;
  const isPending = reservation.materializedAt === null && context.records.areElsewhere;
  const isChanged = reservation.updatedAt > reservation.confirmedAt;
  if (!isPending || !isChanged) return found;
  return { ...found, reservation: await confirmedStay(context, reservation) };
}
