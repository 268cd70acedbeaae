import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { OperationId } from '../contract/partner/operations.ts';
import { applicationOf } from './partner-api.ts';
import { type CallCounts, homeOf, stepOf } from '../signals/index.ts';

function count(counts: CallCounts, request: FastifyRequest, status: number): void {
  const { refusal, execution } = request;
  const application = applicationOf(request);
  // What fails on our side refuses nobody.
  if (!execution || !application || status >= 500) return;
  const step = stepOf[execution.route.operation as OperationId];
  if (!step) return;
  if (!refusal) {
    if (step === 'search') counts.answered(application.applicationId);
    return;
  }
  const { reason = refusal.refused } = (refusal.details ?? {}) as { reason?: string };
  const { applicationId } = application;
  counts.refused({ applicationId, listingId: homeOf(execution.found), step, reason });
}

/** Counts the refused calls of partners on their way to a reservation, and the searches that were answered. Requests do not wait for it. */
export function countCalls(app: FastifyInstance, counts: CallCounts): void {
  app.addHook('onResponse', (request, reply, done) => {
    count(counts, request, reply.statusCode);
    done();
  });
}
