import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Application, createBuckets } from '../access/index.ts';
import type { InvalidField } from '../contract/errors.ts';
import { portalLimits } from '../contract/portal/limits.ts';
import type { AccessContext } from './partner-api.ts';
import { applicationOf, findApplicationOfToken } from './partner-api.ts';
import {
  loggedPath,
  type RequestRecorder,
  shownFields,
  stayOf,
  subjectOf,
  unknownPath,
} from '../request-log/index.ts';

/** The dependencies of the request log. */
export interface RequestLogContext {
  recorder: RequestRecorder;
  access: AccessContext;
  /** The database's time. */
  now: () => number;
  /**
   * Whether the calls of every application are logged, also before its first link to the portal: then a bounded number
   * of them, because nobody may ever look at them.
   */
  logsAll: boolean;
}

/** Whether this call of an application counts among those that the log takes. */
type MayRecord = (applicationId: string) => boolean;

interface Details {
  reason?: string;
  fields?: readonly InvalidField[];
}

/** What is kept of every call. */
function commonOf({ now }: RequestLogContext, request: FastifyRequest, reply: FastifyReply) {
  const durationMs = Math.round(reply.elapsedTime);
  const { reason = null } = (request.refusal?.details ?? {}) as Details;
  return {
    at: now() - durationMs,
    requestId: request.id,
    method: request.method,
    status: request.isDropped ? 0 : reply.raw.statusCode,
    fault: request.fault,
    code: request.refusal?.refused ?? null,
    reason,
    durationMs,
  };
}

const isLogged = (
  { logsAll }: RequestLogContext,
  application: Application | null,
  mayRecord: MayRecord,
): application is Application =>
  application !== null &&
  (application.portalEnabledAt !== null || (logsAll && mayRecord(application.applicationId)));

function record(
  context: RequestLogContext,
  request: FastifyRequest,
  reply: FastifyReply,
  withoutPortal: MayRecord,
): void {
  const application = applicationOf(request);
  const { execution } = request;
  if (!execution || !isLogged(context, application, withoutPortal)) return;
  const { row, operation } = execution.route;
  const params = request.params as Record<string, string>;
  const { fields = [] } = (request.refusal?.details ?? {}) as Details;
  context.recorder.record({
    ...commonOf(context, request, reply),
    applicationId: application.applicationId,
    path: loggedPath(request.routeOptions.url ?? '', params),
    operation,
    invalidFields: shownFields(fields, row),
    about: subjectOf(params, execution.call?.resourceId ?? ''),
    ...stayOf(execution.call?.params, execution.call?.body, execution.found),
  });
}

/** Records a call to an unknown path, if its token is that of an application with a portal. */
async function recordUnknown(
  context: RequestLogContext,
  request: FastifyRequest,
  reply: FastifyReply,
  mayRecord: MayRecord,
): Promise<void> {
  const common = commonOf(context, request, reply);
  const application = await findApplicationOfToken(context.access, request);
  if (!isLogged(context, application, () => true) || !mayRecord(application.applicationId)) return;
  context.recorder.record({
    ...common,
    applicationId: application.applicationId,
    path: unknownPath(request.url),
    operation: null,
    invalidFields: [],
    about: null,
    ...stayOf(),
  });
}

// Without a database nothing can be recorded either.
const ignore = (): void => undefined;

/**
 * Records every completed call of an application with a portal. Requests do not wait for it. Calls to unknown
 * paths use no quota, so the log takes a bounded number of them.
 */
export function logRequests(app: FastifyInstance, context: RequestLogContext): void {
  const atMost = (perMinute: number): MayRecord => {
    const buckets = createBuckets();
    return (applicationId) => buckets.take(applicationId, perMinute) === 0;
  };
  const unknown = atMost(portalLimits.unknownPathsPerMinute);
  const withoutPortal = atMost(portalLimits.callsWithoutPortalPerMinute);
  // A connection that was ended has no response.
  app.addHook('onRequest', (request, reply, done) => {
    reply.raw.once('close', () => {
      if (request.isDropped) record(context, request, reply, withoutPortal);
    });
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    if (request.is404) void recordUnknown(context, request, reply, unknown).catch(ignore);
    else record(context, request, reply, withoutPortal);
    done();
  });
}
