/** The keys of applications, and their links to the portal. */
import { isRefusal } from '../../contract/errors.ts';
import { daySeconds } from '../../contract/time.ts';
import { networksOf } from './networks-of.ts';
import { issueKey, listKeys, revokeKey } from './application-keys.ts';
import { dismissPerson, endSessionOfPartner, invitePerson, showPeople } from './portal-people.ts';
import { issuePortalLink } from './portal-links.ts';
import { issuedKeyView, keyView, portalLinkView } from './views.ts';
import { accessActs } from './acts.ts';

const secondsOf = (days: number | undefined): number | undefined =>
  days === undefined ? undefined : Math.round(days * daySeconds);

/** What staff do with the keys of applications. */
export const keyActs = accessActs({
  'operator.key.list': async ({ context, params }) => {
    const keys = await context.reads.run((from) => listKeys(from, params.applicationId));
    return isRefusal(keys) ? keys : { items: keys.map(keyView) };
  },
  'operator.key.issue': async ({ context, actor, params, body }) => {
    const lifetimeSeconds = secondsOf(body.expiresInDays);
    const networks = networksOf(body.networks);
    if (isRefusal(networks)) return networks;
    const input = { environment: context.environment, ...params, lifetimeSeconds, networks };
    const issued = await issueKey(context.database, actor.name, input);
    return isRefusal(issued) ? issued : issuedKeyView(issued);
  },
  'operator.key.revoke': async ({ context, actor, params }) => {
    const revoked = await revokeKey(context.database, actor.name, params.keyId);
    return isRefusal(revoked) ? revoked : keyView(revoked);
  },
  'operator.application.portalLink': async ({ context, actor, params }) => {
    const input = { ...params, baseUrl: context.baseUrl };
    const link = await issuePortalLink(context.database, actor.name, input);
    return isRefusal(link) ? link : portalLinkView(link);
  },
  'operator.portalPerson.list': ({ context, params }) =>
    context.reads.run((from) => showPeople(from, params.applicationId)),
  'operator.portalPerson.invite': async ({ context, actor, params, body }) => {
    const input = { ...params, ...body, email: body.email.trim(), baseUrl: context.baseUrl };
    const invited = await invitePerson(context.database, actor.name, input);
    if (isRefusal(invited)) return invited;
    const { personId, name, email } = invited.person;
    return { personId, name, email, ...portalLinkView(invited) };
  },
  'operator.portalPerson.remove': ({ context, actor, params }) =>
    dismissPerson(context.database, actor.name, params),
  'operator.portalSession.end': ({ context, actor, params }) =>
    endSessionOfPartner(context.database, actor.name, params),
});
