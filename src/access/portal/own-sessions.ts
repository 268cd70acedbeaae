/** The sessions of a person of a partner, as they manage them in the portal. Spec: WEBHOOK-12. */
import { isRefusal } from '../../contract/errors.ts';
import { refusePortal } from '../../contract/portal/errors.ts';
import { instant } from '../../contract/time.ts';
import { auditedChange } from '../../platform/audit/audited-change.ts';
import { insertLink } from '../staff/portal-links.ts';
import { portalSessionView } from '../staff/portal-people.ts';
import { portalLinkView } from '../staff/views.ts';
import { endPortalSession, listPortalSessions } from '../store/portal-sessions.ts';
import type { PortalContext } from './context.ts';
import { portalActs } from './kinds.ts';

/** What a person does with their sessions; those of nobody by name see only themselves. */
export const ownSessionActs = portalActs<PortalContext>()({
  'portal.ownSession.list': async ({ context, actor: { applicationId, session } }) => {
    const all = await listPortalSessions(context.database, applicationId);
    const personId = session.person?.personId;
    const own = all.filter((one) =>
      personId === undefined ? one.sessionId === session.sessionId : one.personId === personId,
    );
    const items = own.map((one) => ({
      ...portalSessionView(one),
      isThis: one.sessionId === session.sessionId,
    }));
    return { items };
  },
  'portal.ownSession.end': async ({ context, actor, params }) => {
    const { applicationId, name, session } = actor;
    const { person } = session;
    if (!person) return refusePortal('not_found');
    const ended = await auditedChange(
      context.database,
      (executor) => endPortalSession(executor, { applicationId, ...params }, person.personId),
      () => ({ actor: name, action: 'portal.session.end', applicationId, details: { ...params } }),
    );
    return ended ? null : refusePortal('not_found');
  },
  'portal.ownLink.issue': async ({ context, actor: { applicationId, name, session } }) => {
    const { person } = session;
    if (!person) return refusePortal('policy_restricted', 'no_person');
    const { personId, email } = person;
    const input = {
      applicationId,
      personId,
      issuedIn: session.sessionId,
      baseUrl: context.baseUrl,
    };
    const link = await auditedChange(
      context.database,
      (executor) => insertLink(executor, input),
      ({ expiresAt }) => ({
        actor: name,
        action: 'portal.link',
        applicationId,
        details: { email, expiresAt: instant(expiresAt) },
      }),
    );
    return isRefusal(link) ? refusePortal('not_found') : portalLinkView(link);
  },
});
