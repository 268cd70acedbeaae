import type { ReservationRequest as RequestOnWire } from '../../../contract/schemas/reservation.ts';
import type { ReservationRequest } from '../../../domain/booking.ts';
import { requestActions } from '../../../domain/reservation-request.ts';
import type { Context } from '../../context.ts';
import { pollAfter } from '../checkout/view.ts';

/** A reservation request as partners read it. Spec: Resources, Reservation request. */
export function requestView(context: Context, request: ReservationRequest): RequestOnWire {
  const actions = requestActions(request);
  return {
    reservationRequestId: request.bookingId,
    version: request.version,
    state: request.state,
    quoteId: request.quote.quoteId,
    partnerReference: request.partnerReference,
    reference: request.reference,
    nextActions: [...actions],
    ...pollAfter(context, actions),
    ...(request.failureReason && { failure: { reason: request.failureReason } }),
    createdAt: new Date(request.createdAt).toISOString(),
    updatedAt: new Date(request.updatedAt).toISOString(),
  };
}
