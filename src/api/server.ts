import Fastify, {
  type FastifyContextConfig,
  LogController,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import {
  commonErrors,
  messageOf,
  RefusalError,
  refuse,
  refuseBecause,
  type ErrorCode,
  type Refusal,
  unknownPath,
} from '../contract/errors.ts';
import { canonicalNetwork, isInNetworks } from '../platform/allowed-networks.ts';
import type { Log } from '../platform/log.ts';
import { networkOf } from '../platform/network.ts';
import { servedRequests } from '../platform/diagnostics.ts';
import {
  DatabaseBusyError,
  DatabaseUnavailableError,
} from '../platform/postgres/database-errors.ts';
import { withDeadlinePaused } from '../platform/postgres/deadline.ts';
import {
  BodyTooLongToDrainError,
  checkContentType,
  invalid,
  jsonOf,
  longJsonOf,
  longTextOf,
  ownTurn,
  readBody,
  textOf,
} from './body.ts';
import { limits } from '../contract/limits.ts';
import { errorResponse } from './errors.ts';
import { type Execution, witnessed } from './execution.ts';
import { limitCallsInFlight } from './calls-in-flight.ts';
import { limitConnections } from './connections.ts';
import { jsonBounds } from './json-bounds.ts';
import { respondToMalformed, trackResponse, refuseTunnel } from './malformed.ts';
import { after, type MaybePromise } from './maybe-promise.ts';
import { quotaHeaders, finalQuota } from './quota-headers.ts';
import { routedUrl } from './routed-url.ts';
import type { QuotaState } from './surface.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null if the route is not an operation. */
    execution: Execution | null;
    /** For the logs: the refusal of the error response. */
    refusal: Refusal | null;
    consumer: string | null;
    /** The connection was ended in place of a response. */
    isDropped: boolean;
    /** What was done to the call because its application had ordered it. */
    fault: string | null;
  }
  interface FastifyContextConfig {
    /** The type of the body. Default: JSON. */
    bodyType?: BodyType;
    /** The size of the largest body. Default: the limit of the contract. */
    bodyBytes?: number | undefined;
    bodyValues?: number | undefined;
    /** The operation takes no body; an empty one with a content type is none. */
    takesNone?: boolean | undefined;
    operation?: string;
    /** The value of `WWW-Authenticate`. Default: a bearer challenge. */
    challenge?: string;
  }
}

/** The settings of the server. */
export interface ServerSettings {
  tls: { cert: Buffer; key: Buffer } | null;
  /** The proxy whose `X-Forwarded-For` is trusted. */
  trustedProxy: string | null;
  /** Maximum number of open connections; above it the longest idle ones are closed. */
  connections: number;
  /** Whether the base URL is https: browsers then keep to it for a year. */
  isSecure?: boolean;
  /** The path of the base URL: a proxy may keep it or remove it. Absent: none. */
  basePath?: string;
  logger: false | object;
}

// Limits how long a slow client can hold a connection.
const headersTimeoutMs = 10_000;
const requestTimeoutMs = 30_000;
const checkTimeoutsEveryMs = 2_000;
const reportDropsEveryMs = 60_000;

// Not for other hosts of the domain: they are the operator's.
const strictTransport = 'max-age=31536000';

const bearer = 'Bearer realm="latchkey"';

/** The challenge of a refusal for the holder of a bearer token; null: there is none. Spec: ERROR-12. */
function bearerChallenge(refusal: Refusal): string | null {
  const { reason, scope } = (refusal.details ?? {}) as { reason?: string; scope?: string };
  if (refusal.refused === 'unauthenticated') {
    if (reason === 'missing') return bearer;
    return `${bearer}, error="invalid_token", error_description="${messageOf(refusal)}"`;
  }
  if (refusal.refused !== 'forbidden' || scope === undefined) return null;
  return `${bearer}, error="insufficient_scope", scope="${scope}"`;
}

function challengeOf({ routeOptions: { config } }: FastifyRequest, refusal: Refusal) {
  if (config.challenge === undefined) return bearerChallenge(refusal);
  return refusal.refused === 'unauthenticated' ? config.challenge : null;
}

function writeRefusal(
  request: FastifyRequest,
  reply: FastifyReply,
  refusal: Refusal,
): FastifyReply {
  const { status, body, headers } = errorResponse(refusal, request.id);
  request.refusal = refusal;
  reportUndeclared(request, refusal.refused);
  const challenge = challengeOf(request, refusal);
  if (challenge !== null) reply.header('www-authenticate', challenge);
  return reply.code(status).headers(headers).type('application/json').send(JSON.stringify(body));
}

/** The log of an application or of a call. */
export const logOf = ({ log }: FastifyInstance | FastifyRequest): Log => log;

const common: ReadonlySet<ErrorCode> = new Set(commonErrors);

/** Logs a code that its row does not declare: the compiler finds those that a handler returns, not those it throws. */
function reportUndeclared(request: FastifyRequest, code: ErrorCode): void {
  const { id, execution } = request;
  if (!execution || common.has(code) || execution.route.row.errors.includes(code)) return;
  logOf(request).error(
    { requestId: id, operation: execution.route.operation, code },
    'undeclared error code',
  );
}

/** Sends a refusal on any route. Without quota headers if the quotas cannot be read. */
export function sendRefusal(
  request: FastifyRequest,
  reply: FastifyReply,
  refusal: Refusal,
): MaybePromise<FastifyReply> {
  const send = (quota: QuotaState | null): FastifyReply => {
    const pairs = quota ? quotaHeaders(quota) : [];
    for (let at = 0; at < pairs.length; at += 2) reply.header(pairs[at]!, pairs[at + 1]);
    return writeRefusal(request, reply, refusal);
  };
  return after(witnessed(request.execution, refusal), () => {
    const quota = request.execution && finalQuota(request.execution);
    return quota instanceof Promise ? quota.then(send, () => send(null)) : send(quota);
  });
}

/** The refusal for an error of the framework, such as a header or path that it cannot parse. Null: none. */
export function frameworkRefusal(error: unknown): RefusalError | null {
  const { code, statusCode = 500, message } = error as Partial<FastifyError>;
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return invalid('header/content-type', 'is not a content type');
  }
  return statusCode >= 400 && statusCode < 500 ? invalid('', message ?? 'is not valid') : null;
}

/** The refusal for an exception. */
function refusalOf(error: unknown): Refusal {
  if (error instanceof RefusalError) return error.refusal;
  if (error instanceof DatabaseUnavailableError) return refuse('unavailable');
  return frameworkRefusal(error)?.refusal ?? refuse('internal');
}

type Read = (
  payload: IncomingMessage,
  mostBytes: number | undefined,
  mostValues: number | undefined,
) => Promise<BodyReader>;

/** Parses the bytes of a body that has arrived. */
interface BodyReader {
  bytes: Buffer;
  parse(): MaybePromise<unknown>;
}

const readJson: Read = async (payload, mostBytes, mostValues) => {
  const bounds = jsonBounds(mostValues);
  const bytes = await readBody(payload, mostBytes, bounds);
  const parse = async () => {
    const { members, long } = bounds;
    if (long.length > 0) return longJsonOf(bytes, long, members);
    const text = await longTextOf(bytes);
    if (bytes.length > limits.bodyBytes) await ownTurn();
    return jsonOf(text, members);
  };
  return { bytes, parse };
};

const readAs =
  (parse: (bytes: Buffer) => unknown): Read =>
  async (payload, mostBytes) => {
    const bytes = await readBody(payload, mostBytes);
    return { bytes, parse: () => parse(bytes) };
  };

/** How each type of body is called, and read. A form stays text. */
const bodyTypes = {
  form: { mediaType: 'application/x-www-form-urlencoded', read: readAs(textOf) },
  json: { mediaType: 'application/json', read: readJson },
  bytes: { mediaType: 'application/octet-stream', read: readAs((bytes) => bytes) },
} as const;
type BodyType = keyof typeof bodyTypes;

/**
 * Reads and parses a body. The deadline of the call is paused meanwhile. Returns a refusal, because an error of a
 * parser closes the connection.
 */
async function parsedBody(
  request: IncomingMessage,
  payload: IncomingMessage,
  { bodyType = 'json', bodyBytes, bodyValues, takesNone = false }: FastifyContextConfig,
): Promise<unknown> {
  const { mediaType, read } = bodyTypes[bodyType];
  try {
    return await withDeadlinePaused(async () => {
      const { bytes, parse } = await read(payload, bodyBytes, bodyValues);
      // With `If-Match`, a command may need no body.
      const mayBeNone = takesNone || request.headers['if-match'] !== undefined;
      if (bytes.length === 0 && mayBeNone) return undefined;
      checkContentType(request, mediaType);
      return await parse();
    });
  } catch (error) {
    if (error instanceof RefusalError) return error;
    throw error;
  }
}

/** The refusal of a path or method that does not exist. Spec: CALL-5. */
const unknownRoute = refuseBecause('not_found', unknownPath);

/** How often a request has the header `Host`; Node keeps the first. */
function hostsOf({ rawHeaders }: IncomingMessage): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}

/** Refusals before the body is read: an unknown path is 404 even if the body is invalid. */
function earlyRefusal(request: FastifyRequest): RefusalError | null {
  // A proxy may have read another one than this service.
  if (hostsOf(request.raw) > 1) return invalid('header/host', 'was given more than once');
  if (request.is404) return new RefusalError(unknownRoute);
  const oneHost = request.raw.httpVersion !== '1.1' || request.headers.host !== undefined;
  return oneHost ? null : invalid('header/host', 'is required');
}

// Without these, Fastify loads a compiler of JSON Schema and one of serializers: an eighth of all modules.
const noSchemas = (): never => {
  throw new Error('a route has a schema; the operation tables check what calls contain');
};

const nodeOptions = {
  requireHostHeader: false,
  headersTimeout: headersTimeoutMs,
  connectionsCheckingInterval: checkTimeoutsEveryMs,
};

const mostOfNetwork = 200;
// Accepted above the limit, so that the longest idle connection is closed and not the new one.
const acceptedAbove = 64;

/** The network of an address that has limits of its own; null: this machine or the proxy. */
function limitedNetworks(trustedProxy: string | null): (address: string) => string | null {
  const exempt = ['127.0.0.0/8', '::1', ...(trustedProxy?.split(',') ?? [])].flatMap(
    (text) => canonicalNetwork(text.trim()) ?? [],
  );
  return (address) => (isInNetworks(exempt, address) ? null : networkOf(address));
}

/** Closes connections and refuses calls above the limits: each one takes memory and a file descriptor. */
function limitCallers(app: FastifyInstance, { connections, trustedProxy }: ServerSettings): void {
  const { server } = app;
  server.maxConnections = connections + acceptedAbove;
  let reportAgainAt = 0;
  const report = (reason: string): void => {
    if (performance.now() < reportAgainAt) return;
    reportAgainAt = performance.now() + reportDropsEveryMs;
    logOf(app).warn({ connections, reason }, 'too many connections; some are closed');
  };
  const limited = limitedNetworks(trustedProxy);
  limitConnections(server, { most: connections, mostOfNetwork, networkOf: limited }, report);
  server.on('drop', () => report('full'));
  if (trustedProxy !== null) limitCallsInFlight(app, mostOfNetwork, limited);
}

/** Creates a server without routes: the error envelope, the body parser and common headers. */
export function createServer(settings: ServerSettings): FastifyInstance {
  const app = Fastify({
    ...(settings.tls
      ? { https: { ...settings.tls, ...nodeOptions, handshakeTimeout: headersTimeoutMs } }
      : { http: nodeOptions }),
    logger: settings.logger,
    logController: new LogController({ disableRequestLogging: true }),
    requestIdHeader: false,
    // Spec: CALL-1.
    genReqId: () => randomUUID(),
    // No child logger per call: the few log lines of a call contain its ID.
    childLoggerFactory: (logger) => logger,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    trustProxy: settings.trustedProxy ?? false,
    schemaController: {
      compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas },
    },
    routerOptions: { maxParamLength: 16_384, querystringParser: (text) => ({ text }) },
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: 72_000,
    rewriteUrl: (request) => routedUrl(request, settings.basePath ?? ''),
    clientErrorHandler: respondToMalformed,
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id);
      void sendRefusal(request as FastifyRequest, reply as FastifyReply, refusalOf(error));
    },
  }) as unknown as FastifyInstance;

  app.decorateRequest('execution', null);
  app.decorateRequest('refusal', null);
  app.decorateRequest('consumer', null);
  app.decorateRequest('isDropped', false);
  app.decorateRequest('fault', null);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (request: FastifyRequest, payload: IncomingMessage) =>
    parsedBody(request.raw, payload, request.routeOptions.config),
  );
  app.addHook('preValidation', ({ body }, reply, done) => {
    if (body instanceof BodyTooLongToDrainError) reply.header('connection', 'close');
    done(body instanceof RefusalError ? body : undefined);
  });

  app.addHook('onRequest', (request, reply, done) => {
    trackResponse(reply.raw, request.id);
    reply.header('x-request-id', request.id);
    reply.header('x-content-type-options', 'nosniff');
    if (settings.isSecure) reply.header('strict-transport-security', strictTransport);
    done(earlyRefusal(request) ?? undefined);
  });
  limitCallers(app, settings);
  app.addHook('onResponse', (request, reply, done) => {
    logResponse(request, reply);
    servedRequests.publish(() => ({
      operation: request.routeOptions.config.operation ?? null,
      status: reply.statusCode,
      code: request.refusal?.refused ?? null,
      ms: reply.elapsedTime,
    }));
    done();
  });
  app.setNotFoundHandler((request, reply) => sendRefusal(request, reply, unknownRoute));
  app.setErrorHandler((error, request, reply) => {
    const refusal = refusalOf(error);
    const details = { requestId: request.id, err: error };
    if (refusal.refused === 'internal') logOf(request).error(details, 'operation failed');
    // Under overload there are thousands of busy errors, and each call has its own log line anyway.
    const isWorthLogging =
      refusal.refused === 'unavailable' && !(error instanceof DatabaseBusyError);
    if (isWorthLogging) logOf(request).warn(details, 'unavailable');
    return sendRefusal(request, reply, refusal);
  });
  app.server.on('checkExpectation', (request, response) => {
    app.server.emit('request', request, response);
  });
  app.server.on('connect', (_request: IncomingMessage, socket: Socket) => {
    refuseTunnel(socket);
  });
  return app;
}

const applicationOf = ({ execution }: FastifyRequest): string | null =>
  execution?.actor?.applicationId ?? null;

function logResponse(request: FastifyRequest, reply: FastifyReply): void {
  const details = {
    requestId: request.id,
    operation: request.routeOptions.config.operation ?? null,
    method: request.method,
    status: reply.statusCode,
    code: request.refusal?.refused ?? null,
    ms: Math.round(reply.elapsedTime * 10) / 10,
    applicationId: applicationOf(request),
    ...(request.execution?.actor?.applicationName !== undefined && {
      application: request.execution.actor.applicationName,
    }),
    ...(request.consumer !== null && { consumer: request.consumer }),
  };
  if (reply.statusCode >= 500) logOf(request).warn(details, 'answered');
  else logOf(request).info(details, 'answered');
}
