/** What staff do with reservations, checkouts and requests: each row with its function. */
import { findApplication, noApplication } from '../../access/index.ts';
import { staffActs, stepUpRefusal } from '../../api/staff-acts.ts';
import { operatorLimits } from '../../contract/operator/limits.ts';
import { refuseConflict } from '../../contract/operator/errors.ts';
import type { WithReads } from '../../platform/postgres/replica.ts';
import { readStatement } from '../statements.ts';
import { cancelReservation } from './cancel-reservation.ts';
import { changeReservation } from './change-reservation.ts';
import type { StaffContext } from './context.ts';
import { readDaySheet, readFirstOfDaySheet } from './day-sheet.ts';
import { acceptRequest, declineRequest, listRequestsForStaff } from './change-requests.ts';
import { exportReservations } from './export-reservations.ts';
import { listReservationsForStaff } from './list-reservations.ts';
import { listUncertain } from './list-uncertain.ts';
import { addNote, removeNote } from './reservation-notes.ts';
import { resolveCheckout } from './resolve-checkout.ts';
import { showCheckout } from './show-checkout.ts';
import { showReservation } from './show-reservation.ts';

/** The dependencies of what staff do with bookings. */
interface BookingStaffContext extends WithReads {
  bookings: StaffContext;
}

const bookingActsOf = staffActs<BookingStaffContext>();

/** What staff do with reservations. */
export const reservationActs = bookingActsOf({
  'operator.reservation.list': ({ context, query: { limit, cursor, ...wanted } }) =>
    context.reads.run((from) => listReservationsForStaff(from, wanted, { limit, cursor })),
  'operator.reservation.export': ({ context, query }) =>
    context.reads.run((from) => exportReservations(from, query)),
  'operator.daySheet.get': ({ context, query }) =>
    context.reads.run((from) => readDaySheet(from, context.bookings.money, query)),
  'operator.daySheet.first': ({ context, query }) =>
    context.reads.run((from) => readFirstOfDaySheet(from, context.bookings.money, query)),
  'operator.reservation.get': ({ context, params }) =>
    showReservation(context.bookings, params.reference),
  'operator.reservation.cancel': ({ context, actor, params, body, seen, dryRun }) =>
    cancelReservation(context.bookings, actor.name, { ...params, ...body, seen, dryRun }),
  'operator.reservation.change': ({ context, actor, params, body, seen, dryRun }) => {
    const movesMoney = body.price === 'recalculate' && !dryRun;
    const refused = movesMoney ? stepUpRefusal(actor) : null;
    const change = { ...params, ...body, seen, dryRun };
    return refused ?? changeReservation(context.bookings, actor.name, change);
  },
  'operator.reservation.addNote': ({ context, actor, params, body }) =>
    addNote(context.database, actor.name, { ...params, ...body }),
  'operator.reservation.removeNote': ({ context, actor, params }) =>
    removeNote(context.database, actor.name, params),
});

/** What staff do with what partners ask to change. */
export const changeRequestActs = bookingActsOf({
  'operator.changeRequest.list': ({ context, query: { limit, cursor, ...wanted } }) =>
    context.reads.run((from) => listRequestsForStaff(from, wanted, { limit, cursor })),
  'operator.changeRequest.accept': ({ context, actor, params, body, dryRun }) =>
    acceptRequest(context.bookings, actor.name, { ...params, ...body, dryRun }),
  'operator.changeRequest.decline': ({ context, actor, params, body }) =>
    declineRequest(context.bookings, actor.name, { ...params, ...body }),
});

/** What staff read about what partners sold. */
export const statementActs = bookingActsOf({
  'operator.statement.get': ({ context, params, query }) =>
    context.reads.run(async (from) => {
      const application = await findApplication(from, params.applicationId);
      if (!application) return noApplication(params.applicationId);
      const found = await readStatement(from, application, query.month);
      if (found !== null) return found;
      const { statementLines } = operatorLimits;
      return refuseConflict(
        `The month is too large: more than ${statementLines} lines, or sums that are not exact.`,
      );
    }),
});

/** What staff do with checkouts and requests whose outcome is not known. */
export const checkoutActs = bookingActsOf({
  'operator.checkout.list': ({ context, query: { limit, cursor } }) =>
    context.reads.run((from) =>
      listUncertain(from, context.bookings.uncertainHours, { limit, cursor }),
    ),
  'operator.checkout.get': ({ context, params, query }) =>
    showCheckout(context.bookings, { ...params, ...query }),
  'operator.checkout.resolve': ({ context, actor, params, body, dryRun }) =>
    resolveCheckout(context.bookings, actor.name, { ...params, ...body, dryRun }),
});
