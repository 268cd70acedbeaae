import { refuseBecause } from '../../../contract/errors.ts';
import { findRequest } from '../../../db/reservation-requests.ts';
import type { Operation } from '../../call.ts';
import { requestView } from './view.ts';

/** Spec: Per-operation shapes, reservation request read. */
export const getReservationRequest: Operation<'reservation.reservationRequest.get'> = async (
  house,
  call,
) => {
  const { applicationId } = call.application;
  const { reservationRequestId } = call.params;
  const found = await findRequest(house.executor, applicationId, reservationRequestId);
  if (!found) return refuseBecause('not_found', 'There is no reservation request with this ID.');
  const over = call.meter();
  if (over) return over;
  return { status: 200, body: requestView(house, found) };
};
