import { read } from '../context.ts';
import { readReservation } from './read-reservation.ts';
import { reservationView } from './reservation-view.ts';

/** Spec: Resources, Reservation. */
export const getReservation = read('reservation.reservation.get', {
  notFound: 'There is no reservation with this reference.',
  load: ({ context, actor, params }) =>
    readReservation(context, actor.applicationId, params.reference),
  reply: (_call, found) => ({ status: 200, body: reservationView(found) }),
});
