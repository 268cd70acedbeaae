import { isRefusal } from '../../contract/errors.ts';
import { instant } from '../../contract/time.ts';
import type { ChangeRequest } from '../rules/change-request.ts';
import { listChangeRequests } from '../store/change-requests.ts';
import { findBookingsInFull } from '../store/uncertain-bookings.ts';
import type { GuestBooking } from '../store/guest-bookings.ts';
import type { StaffContext } from './context.ts';
import { historyOf } from './history.ts';
import { checkoutView } from './show-checkout.ts';
import { showReservation } from './show-reservation.ts';

const mostRequests = 500;

/** What was written in a request for a change. */
const requestText = (request: ChangeRequest) => ({
  changeRequestId: request.changeRequestId,
  kind: request.kind,
  state: request.state,
  createdAt: instant(request.createdAt),
  note: request.note,
  reason: request.reason,
});

/** Everything that the service keeps of a booking with its guest: reservation, checkout or request, and history. */
export async function guestExportOf(context: StaffContext, { booking }: GuestBooking) {
  const { reference, bookingId, applicationId, kind } = booking;
  const named = await findBookingsInFull(context.database, bookingId);
  const inFull = named.find(
    (one) => one.booking.applicationId === applicationId && one.booking.kind === kind,
  )!;
  const reservation = reference === null ? null : await showReservation(context, reference);
  if (isRefusal(reservation)) return reservation;
  const history = await historyOf(context, inFull.booking, null);
  const requests =
    reference === null
      ? []
      : await listChangeRequests(context.database, { reference }, null, mostRequests);
  return {
    reservation,
    changeRequests: requests.map(({ request }) => requestText(request)),
    checkout: { ...checkoutView(inFull), history },
  };
}
