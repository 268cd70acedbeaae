import { refuse, refuseBecause } from '../../../contract/errors.ts';
import { insertBooking } from '../../../db/bookings.ts';
import { findRequest } from '../../../db/reservation-requests.ts';
import { findQuoteToBook } from '../../../db/quotes.ts';
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

/** The request as it is now. */
async function repeated(
  house: House,
  call: CreateCall,
): Promise<Answer<'reservation.reservationRequest.create'>> {
  call.exempt();
  const { applicationId } = call.application;
  const found = await findRequest(house.executor, applicationId, call.resourceId);
  if (!found) throw new Error('a request is never deleted');
  return accepted(house, found);
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
    const asked = await findQuoteToBook(executor, applicationId, {
      quoteId,
      kind: 'request',
      bookingId: call.resourceId,
      partnerReference,
    });
    if (!asked) return refuseBecause('not_found', 'There is no quote with this quoteId.');
    if (settlement !== 'partner') return refuse('not_configured');
    if (asked.existingDigest?.equals(digest)) return repeated(house, call);
    const over = call.meter();
    if (over) return over;
    const { quote, present } = asked;
    if (asked.existingDigest) return refuse('conflict', { reason: 'different_input' });
    if (asked.quoteUsed) return refuse('conflict', { reason: 'quote_used' });
    if (asked.partnerReferenceUsed) return refuse('conflict', { reason: 'partner_reference' });
    if (present >= quote.expiresAt) return refuse('quote_expired');
    if (input.termsVersion !== quote.terms.version) {
      return refuse('conflict', { reason: 'terms_version' });
    }
    const request = newRequest(call, quote, present);
    if (await insertBooking(executor, request, digest, null)) {
      house.worker.wake();
      return accepted(house, request);
    }
  }
};
