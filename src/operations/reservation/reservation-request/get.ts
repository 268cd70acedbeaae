import { findRequest } from '../../../db/reservation-requests.ts';
import { read } from '../../kinds.ts';
import { requestView } from './view.ts';

/** Spec: Per-operation shapes, reservation request read. */
export const getReservationRequest = read('reservation.reservationRequest.get', {
  notFound: 'There is no reservation request with this ID.',
  load: ({ context, actor, params }) =>
    findRequest(context.executor, actor.applicationId, params.reservationRequestId),
  reply: ({ context }, request) => ({ status: 200, body: requestView(context, request) }),
});
