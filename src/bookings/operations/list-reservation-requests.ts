import { cutPage, pageForPartner, positionAt, positionText } from '../../access/index.ts';
import {
  findRequestByReference,
  listRequests,
  type RequestPosition,
} from '../store/reservation-requests.ts';
import { read } from '../context.ts';
import { requestView } from './reservation-request-view.ts';

function requestAt(position: string): RequestPosition {
  const [createdAt, requestId] = positionAt(position);
  return { createdAt, requestId };
}

/** Spec: REQUEST-5. */
export const listReservationRequests = read('reservation.reservationRequest.list', {
  load: (call) => pageForPartner(call),
  async reply({ context, actor, query }, { size, after, cursorAt }) {
    const { executor } = context;
    const { applicationId } = actor;
    if (query.partnerReference !== undefined) {
      const { partnerReference } = query;
      const request = await findRequestByReference(executor, applicationId, partnerReference);
      const items = request ? [requestView(context, request)] : [];
      return { status: 200, body: { items, nextCursor: null } };
    }
    const position = after === null ? null : requestAt(after);
    const found = await listRequests(executor, applicationId, position, size + 1);
    const { items, last } = cutPage(found, size);
    return {
      status: 200,
      body: {
        items: items.map((request) => requestView(context, request)),
        nextCursor: last && cursorAt(positionText(last.createdAt, last.bookingId)),
      },
    };
  },
});
