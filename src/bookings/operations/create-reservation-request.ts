import { writeInTime } from '../../platform/clock.ts';
import { again } from '../../api/operation.ts';
import { refuse } from '../../contract/errors.ts';
import { insertRequest, type NewRequest } from '../store/bookings.ts';
import { findQuoteToBook } from '../store/quotes.ts';
import { findRequest } from '../store/reservation-requests.ts';
import type { Quote, ReservationRequest } from '../rules/booking.ts';
import { quoteRefusal } from '../rules/quote.ts';
import type { BookingContext } from '../context.ts';
import { create, type BookingCreateCall } from '../context.ts';
import { rememberTrace } from '../traces.ts';
import { acceptedHeaders } from './checkout-view.ts';
import { requestView } from './reservation-request-view.ts';

type CreateCall = BookingCreateCall<'reservation.reservationRequest.create'>;

function newRequest(
  { actor: { application }, resourceId, body }: CreateCall,
  quote: Quote,
): NewRequest {
  return {
    kind: 'request',
    applicationId: application.applicationId,
    bookingId: resourceId,
    quote,
    settlement: application.settlement,
    state: 'pending',
    guest: body.guest,
    charges: quote.charges,
    failureReason: null,
    failureDetails: null,
    reference: null,
    resolvedAt: null,
    promotionCode: quote.promotion?.code ?? null,
    partnerReference: body.partnerReference ?? null,
  };
}

function accepted(context: BookingContext, request: ReservationRequest) {
  const body = requestView(context, request);
  const location = `/v1/reservation-requests/${body.reservationRequestId}`;
  return { status: 202 as const, body, ...acceptedHeaders(location, body) };
}

/** Spec: REQUEST-1. */
export const createReservationRequest = create('reservation.reservationRequest.create', {
  notFound: 'There is no quote with this quoteId.',
  load: ({ context, actor, resourceId, body }) =>
    findQuoteToBook(context.executor, actor.applicationId, {
      quoteId: body.quoteId,
      kind: 'request',
      bookingId: resourceId,
      partnerReference: body.partnerReference,
    }),
  alive: (_call, found) => quoteRefusal(found),
  decide(call, { quote }) {
    if (call.body.termsVersion !== quote.terms.version) {
      return refuse('conflict', { reason: 'terms_version' });
    }
    return newRequest(call, quote);
  },
  async write({ context, actor: { application }, inputDigest }, made) {
    await rememberTrace(context.executor, made);
    const isLimited = application.reservationsPerDay !== null;
    const dueInSeconds = application.scenario?.effects.pendingSeconds ?? 0;
    const request = await writeInTime(context, (line) =>
      insertRequest(context.executor, made, inputDigest, isLimited, dueInSeconds, line),
    );
    if (!request) return again;
    if (request === 'promotion_used_up') {
      return refuse('policy_restricted', { reason: 'promotion_ended' });
    }
    context.worker.wake();
    return request;
  },
  reply: ({ context }, request) => accepted(context, request),
  async repeat({ context, actor, resourceId }) {
    const found = await findRequest(context.executor, actor.applicationId, resourceId);
    if (!found) throw new Error('a request is never deleted');
    return accepted(context, found);
  },
});
