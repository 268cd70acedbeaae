import { untilKnown } from '../catalog/index.ts';
import type { Surface } from '../api/surface.ts';
import type { Operation } from '../api/operation.ts';
import type { ApplicationRegistry, PartnerActor, PortalActor } from '../access/index.ts';
import { refusePortal } from '../contract/portal/errors.ts';
import { isRefusal } from '../contract/errors.ts';
import type { SandboxContext } from '../sandbox/index.ts';
import type { portalSurface } from './portal-api.ts';
import type { sandboxSurface } from './sandbox-api.ts';

const inPortal = (path: string): `/${string}` =>
  `/portal/v1/sandbox/${path.slice('/sandbox/v1/'.length)}`;

/** With a cookie in place of a token, an operation is an act: a page of another site cannot make it. */
const asAct = (operation: Operation): Operation => ({ ...operation, kind: 'act' });

const each = <From, To>(
  members: Readonly<Record<string, From>>,
  change: (member: From) => To,
): Record<string, To> =>
  Object.fromEntries(Object.entries(members).map(([id, member]) => [id, change(member)]));

/** The sandbox for the portal's pages: the same rows and operations below `/portal/v1/sandbox`. Spec: SANDBOX-1. */
export const portalSandboxSurface = (
  { authenticate, standing, challenge, sameSite, quota }: ReturnType<typeof portalSurface>,
  { rows, operations }: ReturnType<typeof sandboxSurface>,
  context: SandboxContext,
  registry: ApplicationRegistry,
): Surface<PartnerActor, string> => ({
  name: 'sandbox of the portal',
  rows: each(rows, (row) => ({ ...row, path: inPortal(row.path) })),
  operations: each(operations, asAct),
  context,
  ...(challenge !== undefined && { challenge }),
  authenticate,
  async standing(secret, request) {
    const actor = await standing(secret, request);
    if (isRefusal(actor)) return actor;
    const { applicationId } = actor as PortalActor;
    const application = await registry.find(applicationId);
    if (!application) return refusePortal('unauthenticated', 'session');
    // It may be so new that this process has not read it yet.
    await untilKnown(context.catalog, application.catalogId);
    return { applicationId, applicationName: application.name, application, tokenId: null };
  },
  sameSite,
  quota: quota as unknown as Surface<PartnerActor, string>['quota'],
});
