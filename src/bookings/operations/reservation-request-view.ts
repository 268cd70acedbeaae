import { instant } from '../../contract/time.ts';
import type { ReservationRequest as RequestOnWire } from '../../contract/partner/schemas/reservation.ts';
import type { ReservationRequest } from '../rules/booking.ts';
import { requestActions } from '../rules/reservation-request.ts';
import type { BookingContext } from '../context.ts';
import { failureOf, pollAfter, uncertainty } from './checkout-view.ts';

/** The wire form of a reservation request. Spec: REQUEST-2. */
export function requestView(context: BookingContext, request: ReservationRequest): RequestOnWire {
  const actions = requestActions(request);
  return {
    reservationRequestId: request.bookingId,
    version: request.version,
    state: request.state,
    quoteId: request.quote.quoteId,
    partnerReference: request.partnerReference,
    promotionCode: request.promotionCode,
    reference: request.reference,
    nextActions: [...actions],
    ...pollAfter(context, actions),
    ...failureOf(request),
    ...uncertainty(context, request),
    createdAt: instant(request.createdAt),
    updatedAt: instant(request.updatedAt),
  };
}
