import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { loggedPath, type RequestRecorder } from './request-log/index.ts';
import { applicationOf } from './partner-api.ts';

/** The dependencies of the request log. */
export interface RequestLogParts {
  recorder: RequestRecorder;
  /** The database's time. */
  now: () => number;
}

function record({ recorder, now }: RequestLogParts, request: FastifyRequest, reply: FastifyReply) {
  const application = applicationOf(request);
  if (!application || application.portalEnabledAt === null) return;
  const { url = '', config } = request.routeOptions;
  const durationMs = Math.round(reply.elapsedTime);
  recorder.record({
    applicationId: application.applicationId,
    at: now() - durationMs,
    requestId: request.id,
    method: request.method,
    path: loggedPath(url, request.params as Record<string, string>),
    operation: config.operation ?? null,
    status: reply.statusCode,
    code: request.errorCode,
    durationMs,
  });
}

/** Records every completed call of an application with a portal. Requests do not wait for it. */
export function logRequests(app: FastifyInstance, parts: RequestLogParts): void {
  app.addHook('onResponse', (request, reply, done) => {
    record(parts, request, reply);
    done();
  });
}
