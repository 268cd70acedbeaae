import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { OperationId } from './contract/partner/operations.ts';
import { applicationOf } from './partner-api.ts';
import { homeOf, type RefusalRecorder, stepOf } from './signals/index.ts';

// The refusal may have come before anything was loaded.
function count(recorder: RefusalRecorder, request: FastifyRequest): void {
  const { refusal, execution } = request;
  if (!refusal || !execution) return;
  const application = applicationOf(request);
  const step = stepOf[execution.route.operation as OperationId];
  if (!application || !step) return;
  const { reason = refusal.refused } = (refusal.details ?? {}) as { reason?: string };
  const { applicationId } = application;
  recorder.record({ applicationId, listingId: homeOf(execution.found), step, reason });
}

/** Counts the refused calls of partners on their way to a reservation. Requests do not wait for it. */
export function countRefusals(app: FastifyInstance, recorder: RefusalRecorder): void {
  app.addHook('onResponse', (request, _reply, done) => {
    count(recorder, request);
    done();
  });
}
