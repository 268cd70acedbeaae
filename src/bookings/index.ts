export { type BookingContext, create } from './context.ts';
export { applyPromo } from './operations/apply-promo.ts';
export { removePromo } from './operations/remove-promo.ts';
export { createCheckout } from './operations/create-checkout.ts';
export { createQuote } from './operations/create-quote.ts';
export { createReservationRequest } from './operations/create-reservation-request.ts';
export { getCheckoutStatus } from './operations/get-checkout-status.ts';
export { getCheckout } from './operations/get-checkout.ts';
export { getConfirmation } from './operations/get-confirmation.ts';
export { getReservationRequest } from './operations/get-reservation-request.ts';
export { getChangeRequest } from './operations/get-change-request.ts';
export { listOwnChangeRequests } from './operations/list-change-requests.ts';
export { requestChange } from './operations/request-change.ts';
export { withdrawChangeRequest } from './operations/withdraw-change-request.ts';
export { getReservation } from './operations/get-reservation.ts';
export { listReservations } from './operations/list-reservations.ts';
export { listReservationRequests } from './operations/list-reservation-requests.ts';
export { saveGuest } from './operations/save-guest.ts';
export { setupPayment } from './operations/setup-payment.ts';
export { submitCheckout } from './operations/submit-checkout.ts';
export { verifyPayment } from './operations/verify-payment.ts';
export { askPort, type PortAnswer, type UnknownAnswer } from './ports/ask-port.ts';
export { noPayment } from './ports/no-payment.ts';
export type { Payment } from './ports/payment.ts';
export { createInventorySupply } from './ports/inventory-supply.ts';
export {
  noMoney,
  type OpenOfReservation,
  type PaymentOfReservation,
  type ReservationMoney,
} from './ports/reservation-money.ts';
export { ownRecords } from './ports/records.ts';
export type { Announced, Supply } from './ports/supply.ts';
export { createRecentBookings, type RecentBookings } from './recent-bookings.ts';
export type { Booking, Checkout } from './rules/booking.ts';
export {
  type ReconcileInSeconds,
  reconcileEagerly,
  reconcilePatiently,
} from './rules/reconcile.ts';
export { portalBookingActs } from './portal/bookings.ts';
export type { BookingPortalContext } from './portal/context.ts';
export { portalQuotaActs } from './portal/quotas.ts';
export { portalStatementActs } from './portal/statements.ts';
export { portalSimulationActs } from './portal/simulate-change.ts';
export { isReference } from './rules/reference.ts';
export { namedGuest, readGuests, readGuestsOfReservations } from './store/guest-names.ts';
export { checkoutSessions } from './sessions.ts';
export { bookingAttention } from './attention.ts';
export { changeRequestActs, checkoutActs, reservationActs, statementActs } from './staff/acts.ts';
export { cancelReservation } from './staff/cancel-reservation.ts';
export { changeReservation } from './staff/change-reservation.ts';
export type { StaffContext } from './staff/context.ts';
export { pricedMove, type PricedMove } from './staff/priced-move.ts';
export { createReservation } from './staff/create-reservation.ts';
export { listReservationsForStaff } from './staff/list-reservations.ts';
export { listUncertain } from './staff/list-uncertain.ts';
export { resolveCheckout } from './staff/resolve-checkout.ts';
export { showCheckout } from './staff/show-checkout.ts';
export { showReservation } from './staff/show-reservation.ts';
export {
  removeGuestsOfFailedRequests,
  sweepAbandonedCheckouts,
} from './store/abandoned-bookings.ts';
export {
  type CalendarStay,
  readCalendarStays,
  readCalendarStaysOfHomes,
} from './store/calendar-stays.ts';
export { wakeUncertainCheckout, wakeUncertainCheckouts } from './store/booking-claims.ts';
export { decideErasure } from './rules/erase-guest.ts';
export { emailOf, namesOf } from './rules/guest-identity.ts';
export { type SearchedFor, searchedFor } from './rules/search-text.ts';
export { guestExportOf } from './staff/export-guest.ts';
export {
  digestGuestEmails,
  digestGuests,
  emailDigest,
  queueEarlierGuests,
} from './store/guest-digests.ts';
export {
  findErased,
  batchesOfGuest,
  findGuestBookings,
  type GuestBooking,
  lockBookings,
  removeGuest,
} from './store/guest-bookings.ts';
export { type BookingsWanted, type FoundBooking, searchBookings } from './store/search-bookings.ts';
export { releaseExpiredPromotions } from './store/bookings.ts';
export { findCheckout, type FoundCheckout } from './store/checkouts.ts';
export {
  countUncertain,
  listArrivals,
  listBookedDays,
  listDepartures,
  readNow,
  sumUpBookings,
} from './store/overview.ts';
export { releaseAbandonedHolds } from './store/nights.ts';
export {
  countReservationsOfToday,
  countTodaysReservations,
  dailyLimitRefusal,
} from './store/reservation-days.ts';
export { findQuote, sweepQuotes } from './store/quotes.ts';
export { countWaitingBookings, readOverdueWork } from './store/workload.ts';
export { postedRecords } from './worker/post-records.ts';
export { startWorker, type Worker } from './worker/worker.ts';
export { inTraceOf } from './traces.ts';
export { actOnReservation } from './sandbox/act-on-reservation.ts';
export { sealedBookings } from './store/booking-row.ts';
export { sealedNotes } from './store/reservation-notes.ts';
export { sealedRequestNotes } from './store/change-requests.ts';
export { digestGuestsAgain, digestReservationsAgain } from './store/digests-again.ts';
export { endQuote, endSession, moveVersion } from './sandbox/end-now.ts';
export { makeReservation } from './sandbox/make-reservation.ts';
export { type OfferedStay, offerStay, tooManyAdults } from './sandbox/offer-stay.ts';
