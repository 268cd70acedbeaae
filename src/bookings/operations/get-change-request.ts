import { read } from '../context.ts';
import { changeRequestView } from './change-request-view.ts';
import { decideDueRequest } from './decide-due-request.ts';
import { findOwnRequest } from './find-own-request.ts';

/** Spec: CHANGE-2. */
export const getChangeRequest = read('reservation.change.get', {
  notFound: 'The reservation has no request with this changeRequestId.',
  async load({ context, actor, params }) {
    const { applicationId } = actor;
    await decideDueRequest(context, { applicationId, reference: params.reference });
    return findOwnRequest(context.executor, applicationId, params);
  },
  reply: (_call, request) => ({ status: 200, body: changeRequestView(request) }),
});
