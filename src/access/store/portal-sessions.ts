import { portalLimits } from '../../contract/portal/limits.ts';
import type { Settlement } from '../../contract/wire.ts';
import { type EpochMs, instant } from '../../contract/time.ts';
import { manyRows, noRows, oneRow } from '../../platform/postgres/statement-functions.ts';
import type { UsedLink } from './portal-links.ts';

const { sessionHours, personSessionDays, personSessionDaysAtMost } = portalLimits;

/** A person of a partner, as a session knows one. */
export interface SessionPerson {
  personId: string;
  name: string;
  email: string;
}

/** An active portal session and its application. */
export interface PortalSession {
  /** Null: an earlier version has begun it. */
  sessionId: string | null;
  application: { applicationId: string; name: string; settlement: Settlement };
  /** Null: it is nobody's by name. */
  person: SessionPerson | null;
  expiresAt: EpochMs;
}

/** Stores the digest of a new session. */
export const insertPortalSession = noRows<
  [session: UsedLink & { digest: Buffer; userAgent: string }]
>({
  name: 'insert-portal-session',
  // A session of a person lasts while it is used; another one has its end from the start.
  text: `INSERT INTO portal_sessions
      (session_id, session_digest, application_id, person_id, user_agent, seen_at, admitted_at, expires_at)
    VALUES (gen_random_uuid(), $1, $2, $3, $4, now(), $5, CASE WHEN $3::uuid IS NULL
      THEN now() + interval '${sessionHours} hours'
      ELSE least($5::timestamptz + interval '${personSessionDaysAtMost} days', now() + interval '${personSessionDays} days') END)`,
  values: ({ digest, applicationId, personId, userAgent, admittedAt }) => [
    digest,
    applicationId,
    personId,
    userAgent,
    instant(admittedAt),
  ],
});

/**
 * Reads a session, and notes once an hour that it is in use, which puts off the end of a person's. Undefined: there is
 * none, it has expired, or its application is suspended.
 */
export const findPortalSession = oneRow<[digest: Buffer], PortalSession>({
  name: 'find-portal-session',
  text: `WITH seen AS (
      UPDATE portal_sessions SET seen_at = now(), expires_at = CASE WHEN person_id IS NULL THEN expires_at
        ELSE least(coalesce(admitted_at, created_at) + interval '${personSessionDaysAtMost} days', now() + interval '${personSessionDays} days') END
      WHERE session_digest = $1 AND expires_at > now() AND seen_at < now() - interval '1 hour'
    )
    SELECT s.session_id AS "sessionId", s.expires_at AS "expiresAt",
      json_build_object('applicationId', a.application_id, 'name', a.name, 'settlement', a.settlement) AS application,
      CASE WHEN p.person_id IS NOT NULL
        THEN json_build_object('personId', p.person_id, 'name', p.name, 'email', p.email) END AS person
    FROM portal_sessions s JOIN applications a ON a.application_id = s.application_id
    LEFT JOIN portal_people p ON p.person_id = s.person_id
    WHERE s.session_digest = $1 AND s.expires_at > now() AND a.suspended_at IS NULL`,
});

/** Ends a session. */
export const deletePortalSession = noRows<[digest: Buffer]>({
  name: 'delete-portal-session',
  text: 'DELETE FROM portal_sessions WHERE session_digest = $1',
});

/** A session in a list. */
export interface ListedPortalSession {
  sessionId: string;
  personId: string | null;
  /** Null: an earlier version has begun it. */
  userAgent: string | null;
  createdAt: EpochMs;
  seenAt: EpochMs;
  expiresAt: EpochMs;
}

/** Lists the sessions of an application, newest first. */
export const listPortalSessions = manyRows<[applicationId: string], ListedPortalSession>({
  name: 'list-portal-sessions',
  text: `SELECT session_id AS "sessionId", person_id AS "personId", user_agent AS "userAgent",
      created_at AS "createdAt", seen_at AS "seenAt", expires_at AS "expiresAt"
    FROM portal_sessions WHERE application_id = $1 AND session_id IS NOT NULL AND expires_at > now()
    ORDER BY created_at DESC LIMIT 200`,
});

/** Ends a session of an application; with a person, only one of theirs. Undefined: there is none. */
export const endPortalSession = oneRow<
  [of: { applicationId: string; sessionId: string }, personId: string | null],
  { personId: string | null }
>({
  name: 'end-portal-session',
  text: `DELETE FROM portal_sessions
    WHERE application_id = $1 AND session_id = $2 AND ($3::uuid IS NULL OR person_id = $3)
    RETURNING person_id AS "personId"`,
  values: ({ applicationId, sessionId }, personId) => [applicationId, sessionId, personId],
});
