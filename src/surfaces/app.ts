import type { FastifyInstance } from 'fastify';
import type { MakeBuckets, SigningKeys, TokenExchange } from '../access/index.ts';
import { mount } from '../api/mount.ts';
import { traceCalls } from '../api/trace-calls.ts';
import { createServer, type ServerSettings } from '../api/server.ts';
import { aheadOfNewCalls, withDeadline } from '../platform/postgres/deadline.ts';
import type { BookingPortalContext } from '../bookings/index.ts';
import type { DocsContext } from '../api/pages/docs.ts';
import { healthRoutes, type Health } from '../api/health.ts';
import { pageRoutes } from '../api/pages/pages.ts';
import { pictureRoutes } from '../api/pages/pictures.ts';
import {
  partnerSurface,
  type AccessContext,
  type PartnerContext,
  interfereWith,
  withSandbox,
} from './partner-api.ts';
import { portalSandboxSurface } from './portal-sandbox-api.ts';
import { sandboxSurface } from './sandbox-api.ts';
import { operatorSurface, originOf } from './operator-api.ts';
import { withOrigin } from '../platform/audit/origin.ts';
import type { OperatorContext } from '../operator/index.ts';
import { pictureUploadRoutes } from './picture-routes.ts';
import type { FileStorage } from '../platform/file-storage/file-storage.ts';
import { portalSurface } from './portal-api.ts';
import { countCalls } from './count-calls.ts';
import { logRequests } from './log-requests.ts';
import {
  paidPageRoute,
  paymentEventRoutes,
  type PaymentEvents,
  tryPageRoutes,
} from './payment-routes.ts';
import type { TryPage } from '../payments/index.ts';
import { calendarRoutes } from './calendar-routes.ts';
import { type InterfereWithToken, tokenRoutes } from './token-routes.ts';
import type { SandboxContext } from '../sandbox/index.ts';
import type { RequestRecorder } from '../request-log/index.ts';
import type { CallCounts } from '../signals/index.ts';

/** The dependencies of the application. */
export interface AppContext {
  partner: PartnerContext;
  access: AccessContext;
  exchange: TokenExchange;
  keys: SigningKeys;
  pages: DocsContext;
  /** The folder of the homes' pictures. */
  pictures: string;
  /** Where uploaded pictures are. */
  uploads: FileStorage;
  /** Null: this is not the simulation. */
  sandbox: Omit<SandboxContext, keyof PartnerContext> | null;
  portal: BookingPortalContext;
  operator: OperatorContext;
  buckets: MakeBuckets;
  recorder: RequestRecorder;
  counts: CallCounts;
  /** Null: there is no card provider. */
  paymentEvents: PaymentEvents | null;
  /** Null: the card fields cannot be tried here. */
  tryPage: TryPage | null;
  server: ServerSettings;
  health: Health;
}

// The deadline of all statements of a request. With it, the response is sent within six seconds after the
// request has arrived completely.
const requestDeadlineMs = 5_000;

/** Sets the database deadline of each request. The server pauses it while the body arrives. */
function limitRequests(app: FastifyInstance): void {
  app.addHook('onRequest', (_request, _reply, done) => withDeadline(requestDeadlineMs, done));
}

/** Tells the audit trail from where each call of staff and of partners in the portal is made. */
function nameOrigins(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const origin = originOf(request);
    if (origin) withOrigin(origin, done);
    else done();
  });
}

const aheadOfCalls = ({ readyCheck, isStopping }: Health): Health => ({
  readyCheck: () => aheadOfNewCalls(readyCheck),
  isStopping,
});

/** Builds the application without listening. */
export async function buildApp(context: AppContext): Promise<FastifyInstance> {
  const app = createServer(context.server);
  traceCalls(app);
  limitRequests(app);
  nameOrigins(app);
  // A process that refuses excess load is still ready.
  healthRoutes(app, aheadOfCalls(context.health));
  const interfere: InterfereWithToken = async (application, request) =>
    interfereWith(context.partner, application, 'token', request);
  tokenRoutes(app, context.exchange, context.keys, context.sandbox && interfere);
  calendarRoutes(app, context.partner.executor);
  const partners = partnerSurface(context.partner, context.access);
  const { sandbox } = context;
  mount(
    app,
    sandbox ? withSandbox(partners, context.partner, context.access, sandbox.takeEffect) : partners,
  );
  const portal = portalSurface(context.portal, context.buckets);
  mount(app, portal);
  if (sandbox) {
    const sandboxContext = { ...context.partner, ...sandbox };
    const ordered = sandboxSurface(partners, sandboxContext);
    mount(app, ordered);
    mount(app, portalSandboxSurface(portal, ordered, sandboxContext, context.access.registry));
  }
  mount(app, operatorSurface(context.operator, context.buckets));
  countCalls(app, context.counts);
  logRequests(app, {
    recorder: context.recorder,
    access: context.access,
    now: context.partner.now,
    logsAll: context.pages.environment === 'simulation',
  });
  if (context.paymentEvents) {
    await paymentEventRoutes(app, context.paymentEvents);
    paidPageRoute(app);
  }
  if (context.tryPage) tryPageRoutes(app, context.tryPage, context.server.basePath ?? '');
  await pageRoutes(app, context.pages);
  await pictureRoutes(app, context.pictures);
  pictureUploadRoutes(app, context.uploads);
  return app;
}
