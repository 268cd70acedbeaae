import { newPortalSecret, portalDigest } from '../access/index.ts';
import type { Refusal } from '../contract/errors.ts';
import { refusePortal } from '../contract/portal/errors.ts';
import { portalLimits } from '../contract/portal/limits.ts';
import type { PortalReplyOf } from '../contract/portal/operations.ts';
import { auditedChange } from '../db/audited-change.ts';
import type { Executor } from '../db/database.ts';
import { usePortalLink } from '../db/portal-links.ts';
import {
  deletePortalSession,
  findPortalSession,
  insertPortalSession,
  type PortalSession,
} from '../db/portal-sessions.ts';
import type { PortalHouse, PortalOperation } from './call.ts';

/** Who is named in the audit trail for what was done in the portal. */
export const portalActor = 'portal';

const sessionView = (
  { environment, baseUrl }: PortalHouse,
  { application, expiresAt }: PortalSession,
): PortalReplyOf<'portal.session.get'>['body'] => ({
  application,
  environment,
  expiresAt: new Date(expiresAt).toISOString(),
  baseUrl,
});

/** The session that a cookie stands for. */
export const findSession = (
  { database }: PortalHouse,
  secret: string,
): Promise<PortalSession | undefined> => findPortalSession(database, portalDigest(secret));

const entryOf =
  (action: string) =>
  ({ applicationId }: { applicationId: string }) => ({
    actor: portalActor,
    action,
    applicationId,
    details: {},
  });

async function begun(executor: Executor, link: string) {
  const used = await usePortalLink(executor, portalDigest(link));
  if (!used) return undefined;
  const { applicationId } = used;
  const { secret, digest } = newPortalSecret();
  await insertPortalSession(executor, { digest, applicationId, hours: portalLimits.sessionHours });
  return { applicationId, secret, session: await findPortalSession(executor, digest) };
}

/** Uses a link up and begins a session: the secret of its cookie, and the answer. */
export async function beginSession(
  house: PortalHouse,
  link: string,
): Promise<
  | { secret: string; body: PortalReplyOf<'portal.session.begin'>['body'] }
  | Refusal<'unauthenticated'>
> {
  const opened = await auditedChange(
    house.database,
    (executor) => begun(executor, link),
    entryOf('portal.session.begin'),
  );
  if (!opened?.session) return refusePortal('unauthenticated', 'link');
  return { secret: opened.secret, body: sessionView(house, opened.session) };
}

/** Ends the session that a cookie stands for. */
export async function endSession(
  { database }: PortalHouse,
  secret: string,
  { application }: PortalSession,
): Promise<void> {
  const end = async (executor: Executor) => {
    await deletePortalSession(executor, portalDigest(secret));
    return application;
  };
  await auditedChange(database, end, entryOf('portal.session.end'));
}

/** Whose session it is. */
export const readSession: PortalOperation<'portal.session.get'> = async (house, { session }) => ({
  status: 200,
  body: sessionView(house, session),
});
