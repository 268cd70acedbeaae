import {
  createCallQuota,
  findActor,
  type PortalActor,
  type MakeBuckets,
  portalCookie,
} from '../access/index.ts';
import type { BookingPortalContext } from '../bookings/index.ts';
import { isFromAnotherSite } from '../api/another-site.ts';
import type { Surface } from '../api/surface.ts';
import { refusePortal } from '../contract/portal/errors.ts';
import { portalLimits } from '../contract/portal/limits.ts';
import { portalOperations as rows } from '../contract/portal/operations.ts';
import { portalOperations } from './portal-operations.ts';

/** The portal's API, authenticated by a session cookie. Refuses calls from other sites. */
export const portalSurface = (
  context: BookingPortalContext,
  buckets: MakeBuckets,
): Surface<PortalActor, string> => ({
  name: 'portal',
  rows,
  operations: portalOperations,
  context,
  challenge: 'PortalSession realm="latchkey"',
  authenticate: ({ headers }) =>
    portalCookie.read(headers.cookie) ?? refusePortal('unauthenticated', 'session'),
  standing: async (secret) =>
    (await findActor(context, secret)) ?? refusePortal('unauthenticated', 'session'),
  sameSite: (request) =>
    isFromAnotherSite(request, context.baseUrl) ? refusePortal('forbidden', 'cross_site') : null,
  quota: createCallQuota(
    buckets('portal'),
    portalLimits,
    ({ applicationId }) => `application ${applicationId}`,
  ),
});
