import { cutPage, pageForPartner, positionAt, positionText } from '../../access/index.ts';
import { catalogOf } from '../../catalog/index.ts';
import { listOwnReservations, type ReservationPosition } from '../store/reservations.ts';
import { read } from '../context.ts';
import { asRecorded } from './read-reservation.ts';
import { homesOfReservations, reservationView } from './reservation-view.ts';

// More than any page. A partner can have millions of reservations, of which few match.
const lookAtMost = 50_000;

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
    const position = after === null ? null : reservationAt(after);
    const slice = { after: position, atMost: size + 1, lookAtMost };
    const { applicationId } = actor;
    const list = await listOwnReservations(context.executor, applicationId, filter, slice);
    const { items, last } = cutPage(list.found, size);
    const shown = await Promise.all(items.map((one) => asRecorded(context, one)));
    const homes = await homesOfReservations(
      context.executor,
      view,
      shown.map(({ reservation }) => reservation.listingId),
    );
    const next = last?.reservation ?? list.lookedUntil;
    return {
      status: 200,
      body: {
        items: shown.map((one) => reservationView(one, homes.get(one.reservation.listingId))),
        nextCursor: next ? cursorAt(positionText(next.confirmedAt, next.reference)) : null,
      },
    };
  },
});
