import type { FastifyInstance } from 'fastify';
import type { PortalContext, SigningKeys, TokenExchange } from './access/index.ts';
import { mount } from './api/mount.ts';
import { createServer, type ServerSettings } from './api/server.ts';
import {
  aheadOfNewCalls,
  pauseDeadline,
  resumeDeadline,
  withDeadline,
} from './platform/postgres/deadline.ts';
import type { DocsParts } from './api/pages/docs.ts';
import { healthRoutes, type ReadyCheck } from './api/health.ts';
import { pageRoutes } from './api/pages/pages.ts';
import { partnerSurface, type AccessParts, type PartnerContext } from './partner-api.ts';
import { portalSurface } from './portal-api.ts';
import { logRequests } from './log-requests.ts';
import { tokenRoutes } from './token-routes.ts';
import type { RequestRecorder } from './request-log/index.ts';
import { picture } from './simulation/index.ts';

/** Everything that the application is made of. */
export interface AppParts {
  context: PartnerContext;
  access: AccessParts;
  exchange: TokenExchange;
  keys: SigningKeys;
  pages: DocsParts;
  portal: PortalContext;
  recorder: RequestRecorder;
  server: ServerSettings;
  readyCheck: ReadyCheck;
  isStopping: () => boolean;
}

const pictureMaxAge = 86_400;
// Everything that a request asks of the database, together: its answer is out within six seconds of the
// moment at which all of it has arrived.
const requestDeadlineMs = 5_000;

/** The pictures of the simulation's homes. */
function pictureRoutes(app: FastifyInstance): void {
  app.get('/pictures/*', async (request, reply) => {
    const [path = ''] = request.url.split('?', 1);
    const svg = await picture(path);
    if (svg === null) return reply.callNotFound();
    return reply
      .header('cache-control', `public, max-age=${pictureMaxAge}`)
      .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
      .type('image/svg+xml')
      .send(svg);
  });
}

/** Gives each request its time for the database. The time that its body takes to arrive is the caller's. */
function limitRequests(app: FastifyInstance): void {
  app.addHook('onRequest', (_request, _reply, done) => withDeadline(requestDeadlineMs, done));
  app.addHook('preParsing', ({ raw }, _reply, payload, done) => {
    if (!raw.complete) pauseDeadline();
    done(null, payload);
  });
  app.addHook('preValidation', (_request, _reply, done) => {
    resumeDeadline();
    done();
  });
}

/** Builds the application; it listens nowhere. */
export async function buildApp(parts: AppParts): Promise<FastifyInstance> {
  const app = createServer(parts.server);
  limitRequests(app);
  // A process that refuses what is too much for it is ready all the same.
  healthRoutes(app, () => aheadOfNewCalls(parts.readyCheck), parts.isStopping);
  tokenRoutes(app, parts.exchange, parts.keys);
  mount(app, partnerSurface(parts.context, parts.access));
  mount(app, portalSurface(parts.portal));
  logRequests(app, { recorder: parts.recorder, now: parts.context.now });
  await pageRoutes(app, parts.pages);
  if (parts.portal.environment === 'simulation') pictureRoutes(app);
  return app;
}
