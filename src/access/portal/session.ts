import { instant } from '../../contract/time.ts';
import { refusePortal } from '../../contract/portal/errors.ts';
import type { PortalReplyOf } from '../../contract/portal/operations.ts';
import { auditedChange } from '../../platform/audit/audited-change.ts';
import type { Executor } from '../../platform/postgres/database.ts';
import { currentOrigin } from '../../platform/audit/origin.ts';
import { newSecret, secretDigest } from '../../platform/secret.ts';
import { usePortalLink } from '../store/portal-links.ts';
import {
  deletePortalSession,
  findPortalSession,
  insertPortalSession,
  type PortalSession,
} from '../store/portal-sessions.ts';
import type { PortalActor, PortalContext } from './context.ts';
import { personCookie, portalCookie } from './cookie.ts';
import { act, enter, portalActs } from './kinds.ts';

/** The actor of portal actions in the audit trail. */
const nameOf = (person: PortalSession['person']): string =>
  person === null ? 'portal' : `portal ${person.email}`;

const sessionView = (
  { environment, isCopy, baseUrl }: PortalContext,
  { application, person, expiresAt }: PortalSession,
): PortalReplyOf<'portal.session.get'>['body'] => ({
  application,
  person: person && { name: person.name, email: person.email },
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
  const { applicationId } = session.application;
  return { applicationId, name: nameOf(session.person), session, secret };
}

const userAgentLength = 200;

async function begun(executor: Executor, link: string) {
  const used = await usePortalLink(executor, secretDigest(link));
  if (!used) return undefined;
  const secret = newSecret();
  const digest = secretDigest(secret);
  const userAgent = (currentOrigin()?.userAgent ?? '').slice(0, userAgentLength);
  await insertPortalSession(executor, { ...used, digest, userAgent });
  return {
    applicationId: used.applicationId,
    secret,
    session: await findPortalSession(executor, digest),
  };
}

/** Consumes a link and begins a session. The cookie carries the session's secret. */
const beginSession = enter('portal.session.begin', {
  async reply({ context, body }) {
    const opened = await auditedChange(
      context.database,
      (executor) => begun(executor, body.link),
      ({ applicationId, session }) => ({
        actor: nameOf(session?.person ?? null),
        action: 'portal.session.begin',
        applicationId,
        details: {},
      }),
    );
    if (!opened?.session) return refusePortal('unauthenticated', 'link');
    const cookie = opened.session.person === null ? portalCookie : personCookie;
    return {
      status: 201,
      body: sessionView(context, opened.session),
      cookie: cookie.set(opened.secret, context.baseUrl),
    };
  },
});

/** Ends the session of the cookie, and removes the cookie. */
const endSession = act('portal.session.end', {
  async reply({ context, actor }) {
    const end = async (executor: Executor) => {
      await deletePortalSession(executor, secretDigest(actor.secret));
      return actor;
    };
    await auditedChange(context.database, end, ({ applicationId, name }) => ({
      actor: name,
      action: 'portal.session.end',
      applicationId,
      details: {},
    }));
    return { status: 204, body: null, cookie: portalCookie.clear(context.baseUrl) };
  },
});

/** What the portal does with the session of its cookie. */
export const portalSessionOperations = {
  'portal.session.begin': beginSession,
  'portal.session.end': endSession,
  ...portalActs<PortalContext>()({
    'portal.session.get': ({ context, actor }) => sessionView(context, actor.session),
  }),
};
