import { findRequest } from '../store/reservation-requests.ts';
import { read } from '../context.ts';
import { requestView } from './reservation-request-view.ts';

/** Spec: REQUEST-2. */
export const getReservationRequest = read('reservation.reservationRequest.get', {
  notFound: 'There is no reservation request with this ID.',
  load: ({ context, actor, params }) =>
    findRequest(context.executor, actor.applicationId, params.reservationRequestId),
  reply: ({ context }, request) => ({ status: 200, body: requestView(context, request) }),
});
