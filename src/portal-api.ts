import type { FastifyRequest } from 'fastify';
import {
  findActor,
  isFromAnotherSite,
  type PortalActor,
  type MakeBuckets,
  networkOf,
  type PortalContext,
  sessionSecretOf,
} from './access/index.ts';
import { after } from './api/maybe.ts';
import type { QuotaPort, Surface } from './api/surface.ts';
import { refuse } from './contract/errors.ts';
import { refusePortal } from './contract/portal/errors.ts';
import { portalLimits } from './contract/portal/limits.ts';
import { changesSomething, portalOperations as rows } from './contract/portal/operations.ts';
import { portalOperations } from './portal-operations.ts';

/** A quota for each application, and one for each address that tries links. Responses do not show it. */
function quotaPort(makeBuckets: MakeBuckets): QuotaPort<PortalActor> {
  const buckets = makeBuckets('portal');
  const consume = (name: string, perMinute: number) =>
    after(buckets.take(name, perMinute), (retryAfterSeconds) =>
      retryAfterSeconds === 0 ? null : { ...refuse('rate_limited'), retryAfterSeconds },
    );
  return {
    consume: (actor, _row, { ip }: FastifyRequest) =>
      actor
        ? consume(`application ${actor.applicationId}`, portalLimits.callsPerMinute)
        : consume(`address ${networkOf(ip)}`, portalLimits.triesPerMinute),
    refund: () => undefined,
    debit: () => undefined,
    state: () => null,
  };
}

/** The portal's API, authenticated by a session cookie. Refuses calls from other sites. */
export const portalSurface = (
  context: PortalContext,
  buckets: MakeBuckets,
): Surface<PortalActor, string> => ({
  name: 'portal',
  rows,
  operations: portalOperations,
  context,
  challenge: 'PortalSession realm="latchkey"',
  authenticate: ({ headers }) =>
    sessionSecretOf(headers.cookie) ?? refusePortal('unauthenticated', 'session'),
  standing: async (secret) =>
    (await findActor(context, secret)) ?? refusePortal('unauthenticated', 'session'),
  grant: (_actor, row, request) =>
    changesSomething(row) && isFromAnotherSite(request, context.baseUrl)
      ? refusePortal('forbidden', 'cross_site')
      : null,
  quota: quotaPort(buckets),
});
