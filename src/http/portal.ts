import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createBuckets, type Buckets } from '../access/index.ts';
import { isRefusal, refuse, RefusalError, type Refusal } from '../contract/errors.ts';
import { refusePortal } from '../contract/portal/errors.ts';
import { portalLimits } from '../contract/portal/limits.ts';
import {
  changesSomething,
  portalOperationIds,
  portalRowOf,
  type PortalOperationId,
  type PortalRow,
} from '../contract/portal/operations.ts';
import {
  beginSession,
  endSession,
  findSession,
  portalHandlers,
  portalVisitor,
  type HandledPortalOperationId,
  type PortalCall,
  type PortalHouse,
  type PortalSession,
} from '../portal/index.ts';
import { inputCheck } from './input.ts';
import { routePath, validated } from './route-input.ts';
import { sendRefusal } from './server.ts';
import type { AccessParts } from './caller.ts';
import {
  clearedSessionCookie,
  isFromAnotherSite,
  sessionCookie,
  sessionSecretOf,
} from './portal-cookie.ts';

type AnyReply = { status: number; body: object | null };
type AnyPortalHandler = (
  house: PortalHouse,
  call: PortalCall<HandledPortalOperationId>,
) => Promise<AnyReply | Refusal>;

/** What the routes of the portal share. */
interface Desk {
  house: PortalHouse;
  access: AccessParts;
  buckets: Buckets;
}

function meter({ buckets }: Desk, name: string, perMinute: number): void {
  const wait = buckets.take(name, perMinute);
  if (wait === 0) return;
  throw new RefusalError({ ...refuse('rate_limited'), retryAfterSeconds: wait });
}

/** The session of the cookie, and the quota of its application. */
async function admit(desk: Desk, request: FastifyRequest): Promise<PortalSession> {
  const secret = sessionSecretOf(request.headers.cookie);
  const session = secret === null ? undefined : await findSession(desk.house, secret);
  if (!session) throw new RefusalError(refusePortal('unauthenticated', 'session'));
  meter(desk, `application ${session.application.applicationId}`, portalLimits.callsPerMinute);
  return session;
}

/** Session, quota, and whether another site sends it: before any body is read. */
const admission =
  (desk: Desk, row: PortalRow) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    reply.header('cache-control', 'no-store');
    if (row.session === 'begins') {
      meter(desk, `address ${request.ip}`, portalLimits.triesPerMinute);
    } else {
      request.portalSession = await admit(desk, request);
    }
    if (changesSomething(row) && isFromAnotherSite(request, desk.house.baseUrl)) {
      throw new RefusalError(refusePortal('forbidden', 'cross_site'));
    }
  };

function send(reply: FastifyReply, { status, body }: AnyReply): FastifyReply {
  reply.code(status);
  if (body === null) return reply.send();
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(body));
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

function sessionOf({ portalSession }: FastifyRequest): PortalSession {
  if (portalSession) return portalSession;
  throw new RefusalError(refusePortal('unauthenticated', 'session'));
}

function beginning({ house, access }: Desk, row: PortalRow): Handler {
  const check = inputCheck(row);
  return async (request, reply) => {
    const { link } = validated(request, check).body as { link: string };
    const begun = await beginSession(house, link);
    if (isRefusal(begun)) return sendRefusal(access, request, reply, begun);
    reply.header('set-cookie', sessionCookie(begun.secret, house.baseUrl));
    return send(reply, { status: 201, body: begun.body });
  };
}

const ending =
  ({ house }: Desk, row: PortalRow): Handler =>
  async (request, reply) => {
    validated(request, inputCheck(row));
    const secret = sessionSecretOf(request.headers.cookie) ?? '';
    await endSession(house, secret, sessionOf(request));
    reply.header('set-cookie', clearedSessionCookie(house.baseUrl));
    return send(reply, { status: 204, body: null });
  };

function handling(desk: Desk, row: PortalRow, id: HandledPortalOperationId): Handler {
  const check = inputCheck(row);
  const handle = portalHandlers[id] as unknown as AnyPortalHandler;
  return async (request, reply) => {
    const session = sessionOf(request);
    const { params, query, body } = validated(request, check);
    const visitor = portalVisitor(session);
    const call = { session, visitor, params, query, body };
    const answer = await handle(desk.house, call as PortalCall<HandledPortalOperationId>);
    if (isRefusal(answer)) return sendRefusal(desk.access, request, reply, answer);
    return send(reply, answer);
  };
}

function handlerOf(desk: Desk, id: PortalOperationId): Handler {
  const row = portalRowOf(id);
  if (id === 'portal.session.begin') return beginning(desk, row);
  if (id === 'portal.session.end') return ending(desk, row);
  return handling(desk, row, id);
}

/** Every operation of the portal's table. */
export function portalRoutes(app: FastifyInstance, house: PortalHouse, access: AccessParts): void {
  const desk: Desk = { house, access, buckets: createBuckets() };
  for (const id of portalOperationIds) {
    const row = portalRowOf(id);
    app.route({
      method: row.method,
      url: routePath(row.path),
      config: { operation: id, challenge: 'PortalSession realm="latchkey"' },
      onRequest: admission(desk, row),
      handler: handlerOf(desk, id),
    });
  }
}
