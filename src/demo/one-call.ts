import { randomUUIDv7 } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Quote } from '../contract/partner/schemas/quote.ts';
import type { ReservationRequest } from '../contract/partner/schemas/reservation.ts';
import { guestWith } from './booking.ts';
import { DemoFailure } from './failure.ts';
import type { Narrator, Row } from './narrator.ts';
import type { Partner } from './partner.ts';

const readsAtMost = 60;

const progress = ({ state, version, nextActions, ...rest }: ReservationRequest): Row[] => [
  ['state, version', `${state}, ${version}`],
  ['nextActions', nextActions.join(', ')],
  ['reference', `${rest.reference}`],
  ...(rest.failure ? ([['failure.reason', rest.failure.reason]] as const) : []),
];

/** Creates a reservation request and reads it until its outcome is known. */
export async function requestReservation(
  narrator: Narrator,
  partner: Partner,
  quote: Quote,
): Promise<ReservationRequest> {
  narrator.step(
    'Reservation request',
    'One call contains the quote, the accepted terms, the guest and, optionally, your own order number, by which you can find the request again. There is no checkout, no session and no payment step.',
  );
  const reservationRequestId = randomUUIDv7();
  const body = {
    reservationRequestId,
    quoteId: quote.quoteId,
    termsVersion: quote.terms.version,
    termsAccepted: true as const,
    guest: guestWith(),
    partnerReference: `order-${reservationRequestId.slice(-6)}`,
  };
  let request: ReservationRequest = await narrator.call(
    partner,
    'reservation.reservationRequest.create',
    { body },
    (created, { headers }) => [
      ...progress(created),
      ['Location (header)', headers.get('location') ?? ''],
      ['Retry-After (header)', `${headers.get('retry-after')}`],
    ],
  );
  for (let reads = 0; request.nextActions.includes('poll'); reads += 1) {
    if (reads === readsAtMost) {
      throw new DemoFailure(
        `The request is still ${request.state}: look at the log of the service, and run "npm run demo" again.`,
      );
    }
    const seconds = request.pollAfterSeconds ?? 1;
    narrator.step('Poll', `Wait pollAfterSeconds (${seconds}), then read the request.`);
    await sleep(seconds * 1000);
    request = await narrator.call(
      partner,
      'reservation.reservationRequest.get',
      { params: { reservationRequestId } },
      progress,
    );
  }
  return request;
}
