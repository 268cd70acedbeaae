import { cutPage, pageForPartner, positionAt, positionText } from '../../access/index.ts';
import { read } from '../context.ts';
import { type ChangeRequestPosition, listOwnRequests } from '../store/change-requests.ts';
import { changeRequestView } from './change-request-view.ts';

function requestAt(position: string): ChangeRequestPosition {
  const [createdAt, changeRequestId] = positionAt(position);
  return { createdAt, changeRequestId };
}

/** Spec: CHANGE-2. */
export const listOwnChangeRequests = read('reservation.change.list', {
  load: (call) => pageForPartner(call),
  async reply({ context, actor, query }, { size, after, cursorAt }) {
    const page = { after: after === null ? null : requestAt(after), atMost: size + 1 };
    const { reference, state } = query;
    const filter = { reference, state };
    const found = await listOwnRequests(context.executor, actor.applicationId, filter, page);
    const { items, last } = cutPage(found, size);
    return {
      status: 200,
      body: {
        items: items.map(changeRequestView),
        nextCursor: last && cursorAt(positionText(last.createdAt, last.changeRequestId)),
      },
    };
  },
});
