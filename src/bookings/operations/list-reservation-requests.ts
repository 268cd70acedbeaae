import { cutPage, positionAt, positionText, readCursor, writeCursor } from '../../access/index.ts';
import { limits } from '../../contract/limits.ts';
import {
  findRequestByReference,
  listRequests,
  type RequestPosition,
} from '../store/reservation-requests.ts';
import { read, type BookingCall } from '../context.ts';
import { requestView } from './reservation-request-view.ts';

function requestAt(position: string): RequestPosition {
  const [createdAt, requestId] = positionAt(position);
  return { createdAt, requestId };
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
    if (cursor === undefined) return { after: null as RequestPosition | null };
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
    const { items, last } = cutPage(found, size);
    const position = last && positionText(last.createdAt, last.bookingId);
    return {
      status: 200,
      body: {
        items: items.map((request) => requestView(context, request)),
        nextCursor: position && writeCursor(executor.vault, ownerOf(call), position),
      },
    };
  },
});
