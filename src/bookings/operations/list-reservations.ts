import { cutPage, pageForPartner, positionAt, positionText } from '../../access/index.ts';
import { catalogOf } from '../../catalog/index.ts';
import { listOwnReservations, type ReservationPosition } from '../store/reservations.ts';
import { read } from '../context.ts';
import { asRecorded } from './read-reservation.ts';
import { homesOfReservations, reservationView } from './reservation-view.ts';

function reservationAt(position: string): ReservationPosition {
  const [confirmedAt, reference] = positionAt(position);
  return { confirmedAt, reference };
}

/** Spec: RESERVATION-7. */
export const listReservations = read('reservation.reservation.list', {
  load: (call) => pageForPartner(call),
  async reply(call, { size, after, cursorAt }) {
    const { context, actor, query } = call;
    const view = catalogOf(call);
    const { limit: _limit, cursor: _cursor, ...filter } = query;
    const page = { after: after === null ? null : reservationAt(after), atMost: size + 1 };
    const { applicationId } = actor;
    const found = await listOwnReservations(context.executor, applicationId, filter, page);
    const { items, last } = cutPage(found, size);
    const shown = await Promise.all(items.map((one) => asRecorded(context, one)));
    const homes = await homesOfReservations(
      context.executor,
      view,
      shown.map(({ reservation }) => reservation.listingId),
    );
    const next = last?.reservation;
    return {
      status: 200,
      body: {
        items: shown.map((one) => reservationView(one, homes.get(one.reservation.listingId))),
        nextCursor: next ? cursorAt(positionText(next.confirmedAt, next.reference)) : null,
      },
    };
  },
});
