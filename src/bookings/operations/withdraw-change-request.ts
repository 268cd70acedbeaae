import { read } from '../context.ts';
import { withdrawalRefusal } from '../rules/change-request.ts';
import { writeDecision } from '../store/change-requests.ts';
import { changeRequestView } from './change-request-view.ts';
import { findOwnRequest } from './find-own-request.ts';

/** Spec: CHANGE-4. */
export const withdrawChangeRequest = read('reservation.change.withdraw', {
  notFound: 'The reservation has no request with this changeRequestId.',
  load: ({ context, actor, params }) =>
    findOwnRequest(context.executor, actor.applicationId, params),
  async reply({ context, actor, params }, found) {
    const { executor } = context;
    const { applicationId } = actor;
    const withdrawn =
      found.state === 'open' ? await writeDecision(executor, found, 'withdrawn', null) : undefined;
    if (withdrawn) {
      context.wakeDeliverer(applicationId);
      return { status: 200, body: changeRequestView(withdrawn) };
    }
    const decided = await findOwnRequest(executor, applicationId, params);
    if (!decided) throw new Error('a request for a change is never deleted');
    return withdrawalRefusal(decided) ?? { status: 200 as const, body: changeRequestView(decided) };
  },
});
