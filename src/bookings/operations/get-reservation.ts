import { catalogOf } from '../../catalog/index.ts';
import { read } from '../context.ts';
import { readReservation } from './read-reservation.ts';
import { homesOfReservations, reservationView } from './reservation-view.ts';

/** Spec: RESERVATION-2. */
export const getReservation = read('reservation.reservation.get', {
  notFound: 'There is no reservation with this reference.',
  load: ({ context, actor, params }) =>
    readReservation(context, actor.applicationId, params.reference),
  async reply(call, found) {
    const { listingId } = found.reservation;
    const { executor } = call.context;
    const homes = await homesOfReservations(executor, catalogOf(call), [listingId]);
    return { status: 200, body: reservationView(found, homes.get(listingId)) };
  },
});
