import { isRefusal } from '../../contract/errors.ts';
import { findBookingFiles } from '../store/uncertain-bookings.ts';
import type { GuestBooking } from '../store/guest-bookings.ts';
import type { StaffContext } from './context.ts';
import { historyOf } from './history.ts';
import { checkoutView } from './show-checkout.ts';
import { showReservation } from './show-reservation.ts';

/** Everything that the service keeps of a booking with its guest: reservation, checkout or request, and history. */
export async function guestExportOf(context: StaffContext, { booking }: GuestBooking) {
  const { reference, bookingId, applicationId, kind } = booking;
  const files = await findBookingFiles(context.database, bookingId);
  const file = files.find(
    (one) => one.booking.applicationId === applicationId && one.booking.kind === kind,
  )!;
  const reservation = reference === null ? null : await showReservation(context, reference);
  if (isRefusal(reservation)) return reservation;
  const history = await historyOf(context, file.booking, null);
  return {
    reservation,
    checkout: { ...checkoutView(file), history },
  };
}
