import { refuse } from '../../../contract/errors.ts';
import {
  findRequest,
  insertBooking,
  isPartnerReferenceUsed,
  isQuoteUsed,
} from '../../../db/bookings.ts';
import { findQuote } from '../../../db/quotes.ts';
import type { EpochMs, Quote, ReservationRequest } from '../../../domain/booking.ts';
import type { Answer, Call, House, Operation } from '../../call.ts';
import { inputDigest } from '../../identity.ts';
import { acceptedHeaders } from '../checkout/view.ts';
import { requestView } from './view.ts';

type CreateCall = Call<'reservation.reservationRequest.create'>;

function newRequest(call: CreateCall, quote: Quote, present: EpochMs): ReservationRequest {
  return {
    kind: 'request',
    applicationId: call.application.applicationId,
    bookingId: call.resourceId,
    quote,
    settlement: call.application.settlement,
    version: 1,
    state: 'pending',
    guest: call.body.guest,
    charges: quote.charges,
    failureReason: null,
    reference: null,
    attemptId: '',
    submittedAt: present,
    resolvedAt: null,
    createdAt: present,
    updatedAt: present,
    partnerReference: call.body.partnerReference ?? null,
  };
}

function accepted(
  house: House,
  request: ReservationRequest,
): Answer<'reservation.reservationRequest.create'> {
  const body = requestView(house, request);
  const location = `/v1/reservation-requests/${body.reservationRequestId}`;
  return { status: 202, body, ...acceptedHeaders(location, body) };
}

/** Spec: Per-operation shapes, reservation-requests. */
export const createReservationRequest: Operation<'reservation.reservationRequest.create'> = async (
  house,
  call,
) => {
  const { executor } = house;
  const { applicationId, settlement } = call.application;
  const { reservationRequestId: _, ...input } = call.body;
  const { quoteId, partnerReference } = input;
  const digest = inputDigest(executor.vault, input);

  for (;;) {
    const asked = await findQuote(executor, applicationId, quoteId);
    if (!asked) return refuse('not_found');
    if (settlement !== 'partner') return refuse('not_configured');
    // Asked before the request is looked for: what is found used by this very ID is found there too.
    const used = await isQuoteUsed(executor, applicationId, quoteId);
    const named =
      partnerReference !== undefined &&
      (await isPartnerReferenceUsed(executor, applicationId, partnerReference));
    const existing = await findRequest(executor, applicationId, call.resourceId);
    if (existing?.inputDigest.equals(digest)) {
      call.exempt();
      return accepted(house, existing.request);
    }
    const over = call.meter();
    if (over) return over;
    if (existing) return refuse('conflict', { reason: 'different_input' });
    if (used) return refuse('conflict', { reason: 'quote_used' });
    if (named) return refuse('conflict', { reason: 'partner_reference' });
    const { quote, present } = asked;
    if (present >= quote.expiresAt) return refuse('quote_expired');
    if (input.termsVersion !== quote.terms.version) {
      return refuse('conflict', { reason: 'terms_version' });
    }
    const request = newRequest(call, quote, present);
    if (await insertBooking(executor, request, digest, null)) {
      house.wakeWorker();
      return accepted(house, request);
    }
  }
};
