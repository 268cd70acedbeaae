import { readCursor, writeCursor } from '../../../access/index.ts';
import { limits } from '../../../contract/limits.ts';
import { findRequestByReference, listRequests } from '../../../db/reservation-requests.ts';
import type { ReservationRequest } from '../../../domain/booking.ts';
import type { Operation } from '../../call.ts';
import { requestView } from './view.ts';

const positionOf = ({ createdAt, bookingId }: ReservationRequest): string =>
  `${createdAt} ${bookingId}`;

function requestAt(position: string): { createdAt: number; requestId: string } {
  const [createdAt = '', requestId = ''] = position.split(' ');
  return { createdAt: Number(createdAt), requestId };
}

/** Spec: Per-operation shapes, reservation requests. */
export const listReservationRequests: Operation<'reservation.reservationRequest.list'> = async (
  house,
  call,
) => {
  const { vault } = house.executor;
  const { applicationId } = call.application;
  const { cursor, partnerReference } = call.query;
  const owner = {
    operation: 'reservation.reservationRequest.list',
    applicationId,
    filters: { partnerReference },
  } as const;
  const after =
    cursor === undefined ? null : requestAt(readCursor(vault, owner, cursor, 'query/cursor'));
  const over = call.meter();
  if (over) return over;
  if (partnerReference !== undefined) {
    const request = await findRequestByReference(house.executor, applicationId, partnerReference);
    const items = request ? [requestView(house, request)] : [];
    return { status: 200, body: { items, nextCursor: null } };
  }
  const size = call.query.limit ?? limits.pageSize.default;
  const found = await listRequests(house.executor, applicationId, after, size + 1);
  const page = found.slice(0, size);
  const last = page.at(-1);
  const more = found.length > size && last;
  return {
    status: 200,
    body: {
      items: page.map((request) => requestView(house, request)),
      nextCursor: more ? writeCursor(vault, owner, positionOf(last)) : null,
    },
  };
};
