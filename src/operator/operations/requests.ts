import { listRequestsForStaff, showRequestForStaff } from '../../request-log/index.ts';
import { act } from '../kinds.ts';

/** Lists the logged calls of an application. */
export const listRequests = act('operator.request.list', {
  async reply({ context, params: { applicationId }, query: { limit, cursor, ...filter } }) {
    const body = await context.reads.run((from) =>
      listRequestsForStaff(from, applicationId, filter, { limit, cursor }),
    );
    return { status: 200, body };
  },
});

/** Shows a logged call of an application. */
export const getRequest = act('operator.request.get', {
  reply: async ({ context: { reads }, params: { applicationId, requestId } }) => ({
    status: 200,
    body: await reads.run((from) => showRequestForStaff(from, applicationId, requestId)),
  }),
});
