import type { FastifyInstance, FastifyRequest } from 'fastify';
import { beginCall, isTracing, withinSpan, type Span } from '../platform/tracing/tracing.ts';

/**
 * Makes each call of an operation a span, as part of the caller's trace if it sends `traceparent`. Without a
 * tracer this adds nothing. Spec: CALL-18.
 */
export function traceCalls(app: FastifyInstance): void {
  if (!isTracing()) return;
  const spans = new WeakMap<FastifyRequest, Span>();
  app.addHook('onRequest', (request, _reply, done) => {
    const { operation } = request.routeOptions.config;
    const { traceparent } = request.headers;
    const cause = typeof traceparent === 'string' ? traceparent : null;
    const span = operation === undefined ? null : beginCall(operation, cause);
    if (span === null) return done();
    spans.set(request, span);
    withinSpan(span, done);
  });
  app.addHook('onResponse', (request, { statusCode }, done) => {
    const span = spans.get(request);
    const { method, url = '' } = request.routeOptions;
    span?.set({
      'http.request.method': String(method),
      'http.route': url,
      'http.response.status_code': statusCode,
      'latchkey.request_id': request.id,
      'latchkey.code': request.refusal?.refused ?? '',
    });
    span?.end(statusCode >= 500 ? String(statusCode) : undefined);
    done();
  });
}
