import { instant } from '../../contract/time.ts';
import type { AuditAction } from '../../contract/operator/audit-actions.ts';
import { refusePortal } from '../../contract/portal/errors.ts';
import { portalLimits } from '../../contract/portal/limits.ts';
import type { PortalReplyOf } from '../../contract/portal/operations.ts';
import { auditedChange } from '../../platform/audit/audited-change.ts';
import type { Executor } from '../../platform/postgres/database.ts';
import { newSecret, secretDigest } from '../../platform/secret.ts';
import { usePortalLink } from '../store/portal-links.ts';
import {
  deletePortalSession,
  findPortalSession,
  insertPortalSession,
  type PortalSession,
} from '../store/portal-sessions.ts';
import type { PortalActor, PortalContext } from './context.ts';
import { portalCookie } from './cookie.ts';
import { act, enter } from './kinds.ts';

// The actor of portal actions in the audit trail.
const actorName = 'portal';

const sessionView = (
  { environment, isCopy, baseUrl }: PortalContext,
  { application, expiresAt }: PortalSession,
): PortalReplyOf<'portal.session.get'>['body'] => ({
  application,
  environment,
  isCopy,
  expiresAt: instant(expiresAt),
  baseUrl,
});

/** Finds the actor of a session by the secret of its cookie. Undefined: no such session. */
export async function findActor(
  { database }: PortalContext,
  secret: string,
): Promise<PortalActor | undefined> {
  const session = await findPortalSession(database, secretDigest(secret));
  if (!session) return undefined;
  return { applicationId: session.application.applicationId, name: actorName, session, secret };
}

const entryOf =
  (action: AuditAction) =>
  ({ applicationId }: { applicationId: string }) => ({
    actor: actorName,
    action,
    applicationId,
    details: {},
  });

async function begun(executor: Executor, link: string) {
  const used = await usePortalLink(executor, secretDigest(link));
  if (!used) return undefined;
  const { applicationId } = used;
  const secret = newSecret();
  const digest = secretDigest(secret);
  await insertPortalSession(executor, { digest, applicationId, hours: portalLimits.sessionHours });
  return { applicationId, secret, session: await findPortalSession(executor, digest) };
}

/** Consumes a link and begins a session. The cookie carries the session's secret. */
export const beginSession = enter('portal.session.begin', {
  async reply({ context, body }) {
    const opened = await auditedChange(
      context.database,
      (executor) => begun(executor, body.link),
      entryOf('portal.session.begin'),
    );
    if (!opened?.session) return refusePortal('unauthenticated', 'link');
    return {
      status: 201,
      body: sessionView(context, opened.session),
      cookie: portalCookie.set(opened.secret, context.baseUrl),
    };
  },
});

/** Ends the session of the cookie, and removes the cookie. */
export const endSession = act('portal.session.end', {
  async reply({ context, actor }) {
    const end = async (executor: Executor) => {
      await deletePortalSession(executor, secretDigest(actor.secret));
      return actor;
    };
    await auditedChange(context.database, end, entryOf('portal.session.end'));
    return { status: 204, body: null, cookie: portalCookie.clear(context.baseUrl) };
  },
});

/** Returns the application of the session. */
export const readSession = act('portal.session.get', {
  reply: ({ context, actor }) => ({ status: 200, body: sessionView(context, actor.session) }),
});
