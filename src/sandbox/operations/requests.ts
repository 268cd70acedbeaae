import { pageForPartner } from '../../access/index.ts';
import { findLoggedRequest, pageOfRequests, requestFileView } from '../../request-log/index.ts';
import { read } from '../context.ts';

/** Lists the application's own calls, as the portal does. */
export const listOwnRequests = read('sandbox.request.list', {
  load: (call) => pageForPartner(call),
  reply: async ({ context, actor, query }, page) => ({
    status: 200,
    body: await pageOfRequests(context.reads, actor.applicationId, query, page),
  }),
});

/** Reads one of the application's own calls. */
export const getOwnRequest = read('sandbox.request.get', {
  notFound: 'There is no such call in the log of your application.',
  load: ({ context, actor, params }) =>
    context.reads.run((from) =>
      findLoggedRequest(from, actor.applicationId, params.requestId.toLowerCase()),
    ),
  reply: (_call, found) => ({ status: 200, body: requestFileView(found) }),
});
