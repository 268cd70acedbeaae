import {
  addNote,
  cancelReservation,
  changeReservation,
  listReservationsForStaff,
  removeNote,
  showReservation,
} from '../../bookings/index.ts';
import { act } from '../kinds.ts';
import { preview } from '../preview.ts';

/** Lists reservations by day of arrival. */
export const listReservations = act('operator.reservation.list', {
  async reply({ context, query: { limit, cursor, ...wanted } }) {
    const body = await context.reads.run((from) =>
      listReservationsForStaff(from, wanted, { limit, cursor }),
    );
    return { status: 200, body };
  },
});

/** Shows a reservation with everything behind it. */
export const getReservation = act('operator.reservation.get', {
  reply: async ({ context, params: { reference } }) => ({
    status: 200,
    body: await showReservation(context.bookings, reference),
  }),
});

/** Shows what a cancellation would do. */
export const previewCancel = act('operator.reservation.previewCancel', {
  async reply({ context, actor, params, body, seen }) {
    const input = { ...params, ...body, ...preview, seen };
    return { status: 200, body: await cancelReservation(context.bookings, actor.name, input) };
  },
});

/** Cancels a reservation. */
export const cancel = act('operator.reservation.cancel', {
  async reply({ context, actor, params, body, seen }) {
    const input = { ...params, ...body, seen };
    return { status: 200, body: await cancelReservation(context.bookings, actor.name, input) };
  },
});

/** Shows what a change would do. */
export const previewChange = act('operator.reservation.previewChange', {
  async reply({ context, actor, params, body, seen }) {
    const input = { ...params, ...body, ...preview, seen };
    return { status: 200, body: await changeReservation(context.bookings, actor.name, input) };
  },
});

/** Changes dates, party, home or price of a reservation. */
export const change = act('operator.reservation.change', {
  async reply({ context, actor, params, body, seen }) {
    const input = { ...params, ...body, seen };
    return { status: 200, body: await changeReservation(context.bookings, actor.name, input) };
  },
});

/** Adds a note to a reservation. */
export const addNoteTo = act('operator.reservation.addNote', {
  async reply({ context, actor, params, body }) {
    const note = await addNote(context.database, actor.name, { ...params, ...body });
    return { status: 201, body: note };
  },
});

/** Removes a note of a reservation. */
export const removeNoteOf = act('operator.reservation.removeNote', {
  async reply({ context, actor, params }) {
    await removeNote(context.database, actor.name, params);
    return { status: 204, body: null };
  },
});
