import { catalogOf } from '../../catalog/index.ts';
import { read } from '../context.ts';
import { readReservation } from './read-reservation.ts';
import { reservationView } from './reservation-view.ts';

/** Spec: RESERVATION-2. */
export const getReservation = read('reservation.reservation.get', {
  notFound: 'There is no reservation with this reference.',
  load: ({ context, actor, params }) =>
    readReservation(context, actor.applicationId, params.reference),
  reply(call, found) {
    const home = catalogOf(call).find(found.reservation.listingId)?.listing;
    return { status: 200, body: reservationView(found, home) };
  },
});
