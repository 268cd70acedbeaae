import type { OperationId } from '../contract/operations.ts';
import type { Operation } from '../api/operation.ts';
import { captureSignal } from './cdp/signal/capture.ts';
import { getListing } from './distribution/listing/get.ts';
import { listListings } from './distribution/listing/list.ts';
import { searchListings } from './distribution/listing/search.ts';
import { getSite } from './distribution/site/get.ts';
import { getCalendar } from './inventory/calendar/get.ts';
import { applyPromo } from './reservation/checkout/apply-promo.ts';
import { createCheckout } from './reservation/checkout/create.ts';
import { getConfirmation } from './reservation/checkout/get-confirmation.ts';
import { getCheckoutStatus } from './reservation/checkout/get-status.ts';
import { getCheckout } from './reservation/checkout/get.ts';
import { saveGuest } from './reservation/checkout/save-guest.ts';
import { setupPayment } from './reservation/checkout/setup-payment.ts';
import { submitCheckout } from './reservation/checkout/submit.ts';
import { verifyPayment } from './reservation/checkout/verify-payment.ts';
import { listEvents } from './reservation/event/list.ts';
import { createQuote } from './reservation/quote/create.ts';
import { createReservationRequest } from './reservation/reservation-request/create.ts';
import { getReservationRequest } from './reservation/reservation-request/get.ts';
import { listReservationRequests } from './reservation/reservation-request/list.ts';
import { getReservation } from './reservation/reservation/get.ts';

export type { Context, PartnerActor } from './context.ts';
export { createRecentBookings } from './recent.ts';
export { checkoutSessions } from './sessions.ts';

/** The operation of each row of the partners' table; one that is missing does not compile. */
export const partnerOperations: { readonly [Id in OperationId]: Operation<Id> } = {
  'distribution.site.get': getSite,
  'distribution.listing.list': listListings,
  'distribution.listing.get': getListing,
  'distribution.listing.search': searchListings,
  'inventory.calendar.get': getCalendar,
  'reservation.quote.create': createQuote,
  'reservation.checkout.create': createCheckout,
  'reservation.checkout.get': getCheckout,
  'reservation.checkout.saveGuest': saveGuest,
  'reservation.checkout.applyPromo': applyPromo,
  'reservation.checkout.setupPayment': setupPayment,
  'reservation.checkout.verifyPayment': verifyPayment,
  'reservation.checkout.submit': submitCheckout,
  'reservation.checkout.getStatus': getCheckoutStatus,
  'reservation.checkout.getConfirmation': getConfirmation,
  'reservation.reservation.get': getReservation,
  'reservation.reservationRequest.create': createReservationRequest,
  'reservation.reservationRequest.get': getReservationRequest,
  'reservation.reservationRequest.list': listReservationRequests,
  'reservation.event.list': listEvents,
  'cdp.signal.capture': captureSignal,
};
