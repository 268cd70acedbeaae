import {
  applyPromo,
  type BookingContext,
  createCheckout,
  createQuote,
  createReservationRequest,
  getChangeRequest,
  getCheckout,
  getCheckoutStatus,
  getConfirmation,
  getReservation,
  getReservationRequest,
  listOwnChangeRequests,
  listReservationRequests,
  listReservations,
  removePromo,
  requestChange,
  saveGuest,
  setupPayment,
  submitCheckout,
  verifyPayment,
  withdrawChangeRequest,
} from '../bookings/index.ts';
import type { OperationId } from '../contract/partner/operations.ts';
import type { Operation } from '../api/operation.ts';
import { captureSignal } from '../signals/index.ts';
import { getListing, getSite, listListings } from '../catalog/index.ts';
import { getCalendar, listCalendars, listChanges, searchListings } from '../inventory/index.ts';
import { listEvents } from '../events/index.ts';

/** The operation of each row of the partners' table. A missing one does not compile. */
export const partnerOperations: { readonly [Id in OperationId]: Operation<Id, BookingContext> } = {
  'distribution.site.get': getSite,
  'distribution.listing.list': listListings,
  'distribution.listing.get': getListing,
  'distribution.listing.search': searchListings,
  'inventory.calendar.get': getCalendar,
  'inventory.calendar.list': listCalendars,
  'inventory.change.list': listChanges,
  'reservation.quote.create': createQuote,
  'reservation.checkout.create': createCheckout,
  'reservation.checkout.get': getCheckout,
  'reservation.checkout.saveGuest': saveGuest,
  'reservation.checkout.applyPromo': applyPromo,
  'reservation.checkout.removePromo': removePromo,
  'reservation.checkout.setupPayment': setupPayment,
  'reservation.checkout.verifyPayment': verifyPayment,
  'reservation.checkout.submit': submitCheckout,
  'reservation.checkout.getStatus': getCheckoutStatus,
  'reservation.checkout.getConfirmation': getConfirmation,
  'reservation.reservation.get': getReservation,
  'reservation.reservation.list': listReservations,
  'reservation.reservationRequest.create': createReservationRequest,
  'reservation.reservationRequest.get': getReservationRequest,
  'reservation.reservationRequest.list': listReservationRequests,
  'reservation.change.request': requestChange,
  'reservation.change.get': getChangeRequest,
  'reservation.change.list': listOwnChangeRequests,
  'reservation.change.withdraw': withdrawChangeRequest,
  'reservation.event.list': listEvents,
  'cdp.signal.capture': captureSignal,
};
