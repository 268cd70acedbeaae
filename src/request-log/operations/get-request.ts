import { act } from '../../access/index.ts';
import { messageOf, type Refusal } from '../../contract/errors.ts';
import { findLoggedRequest, type LoggedRequest } from '../store/requests.ts';
import { requestView } from './request-view.ts';

const refusalOf = ({ code, reason }: LoggedRequest): Refusal | null =>
  code && { refused: code, ...(reason !== null && { details: { reason } }) };

/** Returns a logged call of the application by its request ID. */
export const getRequest = act('portal.request.get', {
  load: ({ context, actor, params }) =>
    findLoggedRequest(context.database, actor.applicationId, params.requestId),
  reply(_call, found) {
    const refusal = refusalOf(found);
    return {
      status: 200,
      body: {
        ...requestView(found),
        message: refusal && messageOf(refusal),
        invalidFields: [...found.invalidFields],
        about: found.about,
      },
    };
  },
});
