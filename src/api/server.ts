import Fastify, {
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
  RefusalError,
  refuse,
  refuseBecause,
  type ErrorCode,
  type Refusal,
} from '../contract/errors.ts';
import { belowBasePath } from './base-path.ts';
import { DatabaseBusyError, DatabaseUnavailableError } from '../platform/postgres/database.ts';
import {
  BodyTooLongToDrainError,
  checkContentType,
  invalid,
  jsonOf,
  readBody,
  textOf,
} from './body.ts';
import { errorAnswer } from './errors.ts';
import type { Execution } from './execution.ts';
import { answerMalformed, beginAnswer, refuseTunnel } from './malformed.ts';
import type { MaybePromise } from './maybe.ts';
import { settleQuota } from './quota-headers.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The call, if its route is an operation. */
    execution: Execution | null;
    /** For the log: the code of the error that was answered. */
    errorCode: ErrorCode | null;
    consumer: string | null;
  }
  interface FastifyContextConfig {
    /** What the route's body is; JSON where nothing is said. */
    bodyType?: 'form' | 'json';
    operation?: string;
    /** What `WWW-Authenticate` asks for; a bearer token where nothing is said. */
    challenge?: string;
  }
}

/** How the server is run. */
export interface ServerSettings {
  tls: { cert: Buffer; key: Buffer } | null;
  /** The proxy whose `X-Forwarded-For` is believed. */
  trustedProxy: string | null;
  /** Open at once; one more is closed as it comes. */
  connections: number;
  /** The path of the base URL: a proxy may keep it or remove it. Absent: none. */
  basePath?: string;
  logger: false | object;
}

// What is sent by hand, byte by byte, holds a connection for no longer than this.
const headersTimeoutMs = 10_000;
const requestTimeoutMs = 30_000;
const checkTimeoutsEveryMs = 2_000;
const reportDropsEveryMs = 60_000;

const malformedPaths = new WeakSet<object>();

/** Whether the request's path was not decodable. */
export const hasMalformedPath = (request: FastifyRequest): boolean =>
  malformedPaths.has(request.raw);

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

// The router refuses such a path before token and grant are looked at: it is marked, made harmless,
// and refused where paths are checked.
function routedUrl(request: { url?: string | undefined }, basePath: string): string {
  const url = belowBasePath(request.url ?? '/', basePath);
  if (!url.includes('%')) return url;
  const [path = ''] = url.split('?', 1);
  if (isDecodable(path)) return url;
  malformedPaths.add(request);
  return path.replaceAll('%', '%25') + url.slice(path.length);
}

function bearerChallenge({ headers }: FastifyRequest): string {
  const given = headers.authorization !== undefined;
  return `Bearer realm="latchkey"${given ? ', error="invalid_token"' : ''}`;
}

function writeRefusal(
  request: FastifyRequest,
  reply: FastifyReply,
  refusal: Refusal,
): FastifyReply {
  const { status, body, headers } = errorAnswer(refusal, request.id);
  request.errorCode = refusal.refused;
  if (refusal.refused === 'unauthenticated') {
    const { challenge = bearerChallenge(request) } = request.routeOptions.config;
    reply.header('www-authenticate', challenge);
  }
  return reply.code(status).headers(headers).type('application/json').send(JSON.stringify(body));
}

/** Answers with a refusal, whatever the route. Without quota headers if the quotas cannot be reached. */
export function sendRefusal(
  request: FastifyRequest,
  reply: FastifyReply,
  refusal: Refusal,
): MaybePromise<FastifyReply> {
  const send = (): FastifyReply => writeRefusal(request, reply, refusal);
  const settled = request.execution && settleQuota(request.execution, reply);
  return settled instanceof Promise ? settled.then(send, send) : send();
}

/** The framework's own refusals: a header or path that it cannot take apart. Null: no such thing. */
export function frameworkRefusal(error: unknown): RefusalError | null {
  const { code, statusCode = 500, message } = error as Partial<FastifyError>;
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return invalid('header/content-type', 'is not a content type');
  }
  return statusCode >= 400 && statusCode < 500 ? invalid('', message ?? 'is not valid') : null;
}

/** What an exception means to the caller. */
function refusalOf(error: unknown): Refusal {
  if (error instanceof RefusalError) return error.refusal;
  if (error instanceof DatabaseUnavailableError) return refuse('unavailable');
  return frameworkRefusal(error)?.refusal ?? refuse('internal');
}

/** Reads and takes apart a body: a form stays text. */
async function parsedBody(
  request: IncomingMessage,
  payload: IncomingMessage,
  form: boolean,
): Promise<unknown> {
  const bytes = await readBody(payload);
  // Beside `If-Match` a command may need no body.
  if (bytes.length === 0 && request.headers['if-match'] !== undefined) return undefined;
  checkContentType(request, form ? 'application/x-www-form-urlencoded' : 'application/json');
  const text = textOf(bytes);
  return form ? text : jsonOf(text);
}

const unknownRoute = refuseBecause('not_found', 'There is no such path, or not with this method.');

/** The route comes first: whatever its body is like, a path that does not exist is not found. */
function earlyRefusal(request: FastifyRequest): RefusalError | null {
  if (request.is404) return new RefusalError(unknownRoute);
  const oneHost = request.raw.httpVersion !== '1.1' || request.headers.host !== undefined;
  return oneHost ? null : invalid('header/host', 'is required');
}

const nodeOptions = {
  requireHostHeader: false,
  headersTimeout: headersTimeoutMs,
  connectionsCheckingInterval: checkTimeoutsEveryMs,
};

/** Connections above the bound are closed at once: each takes memory and a file, whoever opens it. */
function limitConnections({ server, log }: FastifyInstance, connections: number): void {
  server.maxConnections = connections;
  let reportAgainAt = 0;
  server.on('drop', () => {
    if (performance.now() < reportAgainAt) return;
    reportAgainAt = performance.now() + reportDropsEveryMs;
    log.warn({ connections }, 'too many connections; new ones are closed');
  });
}

/** A server without routes: the envelope, the body parser and the headers of every answer. */
export function createServer(settings: ServerSettings): FastifyInstance {
  const app = Fastify({
    ...(settings.tls
      ? { https: { ...settings.tls, ...nodeOptions, handshakeTimeout: headersTimeoutMs } }
      : { http: nodeOptions }),
    logger: settings.logger,
    logController: new LogController({ disableRequestLogging: true }),
    requestIdHeader: false,
    genReqId: () => randomUUID(),
    // One logger for all: the few lines of a call name it themselves.
    childLoggerFactory: (logger) => logger,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    trustProxy: settings.trustedProxy ?? false,
    routerOptions: { maxParamLength: 16_384, querystringParser: (text) => ({ text }) },
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: 72_000,
    rewriteUrl: (request) => routedUrl(request, settings.basePath ?? ''),
    clientErrorHandler: answerMalformed,
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id);
      void sendRefusal(request as FastifyRequest, reply as FastifyReply, refusalOf(error));
    },
  }) as unknown as FastifyInstance;

  app.decorateRequest('execution', null);
  app.decorateRequest('errorCode', null);
  app.decorateRequest('consumer', null);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', async (request: FastifyRequest, payload: IncomingMessage) => {
    const form = request.routeOptions.config.bodyType === 'form';
    try {
      return await parsedBody(request.raw, payload, form);
    } catch (error) {
      // Thrown from here it would close the connection: it is thrown by the hook below.
      if (error instanceof RefusalError) return error;
      throw error;
    }
  });
  app.addHook('preValidation', ({ body }, reply, done) => {
    if (body instanceof BodyTooLongToDrainError) reply.header('connection', 'close');
    done(body instanceof RefusalError ? body : undefined);
  });

  app.addHook('onRequest', (request, reply, done) => {
    beginAnswer(reply.raw, request.id);
    reply.header('x-request-id', request.id);
    reply.header('x-content-type-options', 'nosniff');
    done(earlyRefusal(request) ?? undefined);
  });
  app.addHook('onResponse', (request, reply, done) => {
    logAnswer(request, reply);
    done();
  });
  app.setNotFoundHandler((request, reply) => sendRefusal(request, reply, unknownRoute));
  app.setErrorHandler((error, request, reply) => {
    const refusal = refusalOf(error);
    const details = { requestId: request.id, err: error };
    if (refusal.refused === 'internal') request.log.error(details, 'operation failed');
    // Under overload there are thousands of these, and each has its line in the log anyhow.
    const isTelling = refusal.refused === 'unavailable' && !(error instanceof DatabaseBusyError);
    if (isTelling) request.log.warn(details, 'unavailable');
    return sendRefusal(request, reply, refusal);
  });
  limitConnections(app, settings.connections);
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

function logAnswer(request: FastifyRequest, reply: FastifyReply): void {
  const details = {
    requestId: request.id,
    operation: request.routeOptions.config.operation ?? null,
    method: request.method,
    status: reply.statusCode,
    code: request.errorCode,
    ms: Math.round(reply.elapsedTime * 10) / 10,
    applicationId: applicationOf(request),
    ...(request.consumer !== null && { consumer: request.consumer }),
  };
  request.log[reply.statusCode >= 500 ? 'warn' : 'info'](details, 'answered');
}
