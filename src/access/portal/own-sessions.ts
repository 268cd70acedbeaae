/** The sessions of a person of a partner, as they manage them in the portal. Spec: WEBHOOK-12. */
import { isRefusal } from '../../contract/errors.ts';
import { refusePortal } from '../../contract/portal/errors.ts';
import { instant } from '../../contract/time.ts';
import { auditedChange } from '../../platform/audit/audited-change.ts';
import { insertLink } from '../administration/portal-links.ts';
import { portalSessionView } from '../administration/portal-people.ts';
import { endPortalSession, listPortalSessions } from '../store/portal-sessions.ts';
import { act } from './kinds.ts';

/** Lists the sessions of the person; those of nobody by name see only themselves. */
export const listOwnSessions = act('portal.ownSession.list', {
  async reply({ context: { database }, actor: { applicationId, session } }) {
    const all = await listPortalSessions(database, applicationId);
    const personId = session.person?.personId;
    const own = all.filter((one) =>
      personId === undefined ? one.sessionId === session.sessionId : one.personId === personId,
    );
    const items = own.map((one) => ({
      ...portalSessionView(one),
      isThis: one.sessionId === session.sessionId,
    }));
    return { status: 200, body: { items } };
  },
});

/** Ends a session of the person. */
export const endOwnSession = act('portal.ownSession.end', {
  async reply({ context: { database }, actor, params }) {
    const { applicationId, name, session } = actor;
    const { person } = session;
    if (!person) return refusePortal('not_found');
    const ended = await auditedChange(
      database,
      (executor) => endPortalSession(executor, { applicationId, ...params }, person.personId),
      () => ({ actor: name, action: 'portal.session.end', applicationId, details: { ...params } }),
    );
    return ended ? { status: 204, body: null } : refusePortal('not_found');
  },
});

/** Issues a link with which the person opens the portal in another browser. */
export const issueOwnLink = act('portal.ownLink.issue', {
  async reply({ context: { database, baseUrl }, actor: { applicationId, name, session } }) {
    const { person } = session;
    if (!person) return refusePortal('policy_restricted', 'no_person');
    const { personId, email } = person;
    const link = await auditedChange(
      database,
      (executor) =>
        insertLink(executor, { applicationId, personId, issuedIn: session.sessionId, baseUrl }),
      ({ expiresAt }) => ({
        actor: name,
        action: 'portal.link',
        applicationId,
        details: { email, expiresAt: instant(expiresAt) },
      }),
    );
    if (isRefusal(link)) return refusePortal('not_found');
    return { status: 201, body: { url: link.url, expiresAt: instant(link.expiresAt) } };
  },
});
