import { instant } from '../../contract/time.ts';
import { read } from '../context.ts';
import { readReservation } from './read-reservation.ts';
import { materializationOf } from './reservation-view.ts';

/** Spec: Resources, Reservation. */
export const getReservation = read('reservation.reservation.get', {
  notFound: 'There is no reservation with this reference.',
  load: ({ context, actor, params }) =>
    readReservation(context, actor.applicationId, params.reference),
  reply(_call, { reservation }) {
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
        cancelledAt: instant(cancelledAt),
        updatedAt: instant(reservation.updatedAt),
        materialization: materializationOf(reservation.materializedAt !== null),
      },
    };
  },
});
