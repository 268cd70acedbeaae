import { refuseBecause } from '../../../contract/errors.ts';
import type { Operation } from '../../call.ts';
import { readReservation } from './read.ts';

/** Spec: Resources, Reservation. */
export const getReservation: Operation<'reservation.reservation.get'> = async (house, call) => {
  const { applicationId } = call.application;
  const found = await readReservation(house, applicationId, call.params.reference);
  if (!found) return refuseBecause('not_found', 'There is no reservation with this reference.');
  const over = call.meter();
  if (over) return over;
  const { reservation } = found;
  const { cancelledAt } = reservation;
  return {
    status: 200,
    body: {
      reference: reservation.reference,
      state: reservation.state,
      listingId: reservation.listingId,
      checkIn: reservation.checkIn,
      checkOut: reservation.checkOut,
      party: reservation.party,
      charges: reservation.charges,
      cancelledAt: cancelledAt === null ? null : new Date(cancelledAt).toISOString(),
      updatedAt: new Date(reservation.updatedAt).toISOString(),
      materialization: reservation.materializedAt === null ? 'pending' : 'ready',
    },
  };
};
