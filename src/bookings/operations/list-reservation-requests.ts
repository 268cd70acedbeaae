import { readCursor, writeCursor } from '../../access/index.ts';
import { limits } from '../../contract/limits.ts';
import { findRequestByReference, listRequests } from '../store/reservation-requests.ts';
import type { ReservationRequest } from '../rules/booking.ts';
import { read, type BookingCall } from '../context.ts';
import { requestView } from './reservation-request-view.ts';

const positionOf = ({ createdAt, bookingId }: ReservationRequest): string =>
  `${createdAt} ${bookingId}`;

interface Position {
  createdAt: number;
  requestId: string;
}

function requestAt(position: string): Position {
  const [createdAt = '', requestId = ''] = position.split(' ');
  return { createdAt: Number(createdAt), requestId };
}

type ListCall = BookingCall<'reservation.reservationRequest.list'>;

const ownerOf = ({ actor, query }: ListCall) =>
  ({
    operation: 'reservation.reservationRequest.list',
    applicationId: actor.applicationId,
    filters: { partnerReference: query.partnerReference },
  }) as const;

/** Spec: Per-operation shapes, reservation requests. */
export const listReservationRequests = read('reservation.reservationRequest.list', {
  load(call) {
    const { context, query } = call;
    const { cursor } = query;
    if (cursor === undefined) return { after: null as Position | null };
    const { vault } = context.executor;
    return { after: requestAt(readCursor(vault, ownerOf(call), cursor, 'query/cursor')) };
  },
  async reply(call, { after }) {
    const { context, actor, query } = call;
    const { executor } = context;
    const { applicationId } = actor;
    if (query.partnerReference !== undefined) {
      const { partnerReference } = query;
      const request = await findRequestByReference(executor, applicationId, partnerReference);
      const items = request ? [requestView(context, request)] : [];
      return { status: 200, body: { items, nextCursor: null } };
    }
    const size = query.limit ?? limits.pageSize.default;
    const found = await listRequests(executor, applicationId, after, size + 1);
    const page = found.slice(0, size);
    const last = page.at(-1);
    const { vault } = executor;
    const more = found.length > size && last;
    return {
      status: 200,
      body: {
        items: page.map((request) => requestView(context, request)),
        nextCursor: more ? writeCursor(vault, ownerOf(call), positionOf(last)) : null,
      },
    };
  },
});
