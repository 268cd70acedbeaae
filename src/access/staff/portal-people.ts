/** The persons of a partner in the portal, and the sessions of its portal. Spec: WEBHOOK-12. */
import { isRefusal, type Refusal } from '../../contract/errors.ts';
import { refuseConflict, refuseStaff } from '../../contract/operator/errors.ts';
import { portalLimits } from '../../contract/portal/limits.ts';
import { instant } from '../../contract/time.ts';
import { auditedChange } from '../../platform/audit/audited-change.ts';
import type { Database, Executor } from '../../platform/postgres/database.ts';
import { findApplication, lockApplication } from '../store/applications.ts';
import {
  countPeople,
  listPeople,
  type PortalPerson,
  putPerson,
  removePerson,
} from '../store/portal-people.ts';
import {
  endPortalSession,
  type ListedPortalSession,
  listPortalSessions,
} from '../store/portal-sessions.ts';
import { insertLink, type IssuedLink } from './portal-links.ts';
import { noApplication } from './staff-refusals.ts';

/** A session of the portal, as lists show it. */
export const portalSessionView = ({
  personId: _,
  userAgent,
  createdAt,
  seenAt,
  expiresAt,
  sessionId,
}: ListedPortalSession) => ({
  sessionId,
  userAgent: userAgent ?? '',
  createdAt: instant(createdAt),
  seenAt: instant(seenAt),
  expiresAt: instant(expiresAt),
});

/** The persons of an application with their sessions, and the sessions of nobody by name. */
export async function showPeople(executor: Executor, applicationId: string) {
  if (!(await findApplication(executor, applicationId))) return noApplication(applicationId);
  const people = await listPeople(executor, applicationId);
  const sessions = await listPortalSessions(executor, applicationId);
  const of = (personId: string | null) =>
    sessions.filter((session) => session.personId === personId).map(portalSessionView);
  return {
    items: people.map(({ createdAt, ...person }) => ({
      ...person,
      createdAt: instant(createdAt),
      sessions: of(person.personId),
    })),
    otherSessions: of(null),
  };
}

interface Invited extends IssuedLink {
  person: PortalPerson;
}

/** Names a person of a partner, and issues their link. The same address again gets a new link. */
export function invitePerson(
  database: Database,
  actor: string,
  input: { applicationId: string; name: string; email: string; baseUrl: string },
): Promise<Invited | Refusal<'not_found' | 'conflict'>> {
  const { applicationId, baseUrl } = input;
  return auditedChange(
    database,
    async (executor): Promise<Invited | Refusal<'not_found' | 'conflict'>> => {
      await lockApplication(executor, applicationId);
      const person = await putPerson(executor, input);
      if (!person) return noApplication(applicationId);
      if ((await countPeople(executor, applicationId)) > portalLimits.people) {
        return refuseConflict(
          `An application has at most ${portalLimits.people} persons: remove one first.`,
        );
      }
      const { personId } = person;
      const link = await insertLink(executor, {
        applicationId,
        personId,
        issuedIn: null,
        baseUrl,
      });
      return isRefusal(link) ? link : { ...link, person };
    },
    ({ person: { name, email }, expiresAt }) => ({
      actor,
      action: 'portal.person.invite',
      applicationId,
      details: { name, email, expiresAt: instant(expiresAt) },
    }),
  );
}

/** Removes a person; their links and sessions end at once. */
export async function dismissPerson(
  database: Database,
  actor: string,
  place: { applicationId: string; personId: string },
): Promise<Refusal<'not_found'> | null> {
  const removed = await auditedChange(
    database,
    (executor) => removePerson(executor, place),
    ({ name, email }) => ({
      actor,
      action: 'portal.person.remove',
      applicationId: place.applicationId,
      details: { name, email },
    }),
  );
  return removed ? null : refuseStaff('not_found', `There is no person ${place.personId}.`);
}

/** Ends a session of the portal at once. */
export async function endSessionOfPartner(
  database: Database,
  actor: string,
  place: { applicationId: string; sessionId: string },
): Promise<Refusal<'not_found'> | null> {
  const ended = await auditedChange(
    database,
    (executor) => endPortalSession(executor, place, null),
    () => ({
      actor,
      action: 'portal.session.end',
      applicationId: place.applicationId,
      details: { sessionId: place.sessionId },
    }),
  );
  return ended ? null : refuseStaff('not_found', `There is no session ${place.sessionId}.`);
}
