import { act } from '../../access/index.ts';
import { findLoggedRequest } from '../store/requests.ts';
import { requestFileView } from './request-view.ts';

/** Returns a logged call of the application by its request ID. */
export const getRequest = act('portal.request.get', {
  load: ({ context, actor, params }) =>
    findLoggedRequest(context.database, actor.applicationId, params.requestId),
  reply: (_call, found) => ({ status: 200, body: requestFileView(found) }),
});
