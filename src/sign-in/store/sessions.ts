import { operatorLimits } from '../../contract/operator/limits.ts';
import type { Role } from '../../contract/operator/roles.ts';
import type { EpochMs } from '../../contract/time.ts';
import {
  countRows,
  hasRow,
  manyRows,
  oneRow,
} from '../../platform/postgres/statement-functions.ts';

const { idleMinutes, sessionHours, stepUpMinutes } = operatorLimits;

/** A session and its member. */
export interface Session {
  sessionId: string;
  staffId: string;
  email: string;
  role: Role;
  hasPassword: boolean;
  /** One-time codes. */
  hasCode: boolean;
  hasPasskey: boolean;
  /** The operator requires a second factor, and the member has none. */
  mustAddSecondFactor: boolean;
  isSteppedUp: boolean;
  steppedUpUntil: EpochMs;
  expiresAt: EpochMs;
}

/** What a new session is made of. */
export interface NewSession {
  staffId: string;
  /** As it was when the member was recognised. */
  passwordHash: string | null;
  digest: Buffer;
  address: string;
  userAgent: string;
}

/** Stores a new session. Undefined: the member was disabled or has another password meanwhile. */
export const insertSession = oneRow<[session: NewSession], { sessionId: string }>({
  name: 'insert-staff-session',
  // A member who is disabled meanwhile is locked by that, so no session of it is left.
  text: `WITH member AS (
      UPDATE staff_members SET signed_in_at = now()
      WHERE staff_id = $1 AND disabled_at IS NULL AND password_hash IS NOT DISTINCT FROM $2
      RETURNING staff_id
    )
    INSERT INTO staff_sessions (staff_id, session_digest, address, user_agent, expires_at)
    SELECT staff_id, $3, $4, $5, now() + interval '${sessionHours} hours' FROM member
    RETURNING session_id AS "sessionId"`,
  values: ({ staffId, passwordHash, digest, address, userAgent }) => [
    staffId,
    passwordHash,
    digest,
    address,
    userAgent,
  ],
});

const alive = `s.expires_at > now() AND s.seen_at > now() - interval '${idleMinutes} minutes'`;

/** Finds a session, and notes once a minute that it is in use. Undefined: it has ended. */
export const findSession = oneRow<[digest: Buffer], Session>({
  name: 'find-staff-session',
  text: `WITH seen AS (
      UPDATE staff_sessions s SET seen_at = now()
      WHERE s.session_digest = $1 AND ${alive} AND s.seen_at < now() - interval '1 minute'
    )
    SELECT s.session_id AS "sessionId", m.staff_id AS "staffId", m.email, m.role,
      m.password_hash IS NOT NULL AS "hasPassword", m.second_factor IS NOT NULL AS "hasCode",
      p.has_passkey AS "hasPasskey",
      m.password_hash IS NOT NULL AND m.second_factor IS NULL AND NOT p.has_passkey AND EXISTS (
        SELECT FROM installation WHERE only_row AND second_factor_required) AS "mustAddSecondFactor",
      s.confirmed_at > now() - interval '${stepUpMinutes} minutes' AS "isSteppedUp",
      s.confirmed_at + interval '${stepUpMinutes} minutes' AS "steppedUpUntil",
      s.expires_at AS "expiresAt"
    FROM staff_sessions s JOIN staff_members m ON m.staff_id = s.staff_id
    CROSS JOIN LATERAL (
      SELECT EXISTS (SELECT FROM staff_passkeys WHERE staff_id = m.staff_id) AS has_passkey) p
    WHERE s.session_digest = $1 AND ${alive} AND m.disabled_at IS NULL`,
});

/** Notes that the member has just proved who it is. Returns until when that counts. */
export const confirmSession = oneRow<[sessionId: string], { steppedUpUntil: EpochMs }>({
  name: 'confirm-staff-session',
  text: `UPDATE staff_sessions SET confirmed_at = now() WHERE session_id = $1
    RETURNING confirmed_at + interval '${stepUpMinutes} minutes' AS "steppedUpUntil"`,
});

/** A session in the list of its member. */
export interface ListedSession {
  sessionId: string;
  createdAt: EpochMs;
  seenAt: EpochMs;
  expiresAt: EpochMs;
  address: string;
  userAgent: string;
}

/** Lists the sessions of a member, newest first. */
export const listSessions = manyRows<[staffId: string], ListedSession>({
  name: 'list-staff-sessions',
  text: `SELECT session_id AS "sessionId", created_at AS "createdAt", seen_at AS "seenAt",
      expires_at AS "expiresAt", address, user_agent AS "userAgent"
    FROM staff_sessions s WHERE staff_id = $1 AND ${alive} ORDER BY created_at DESC LIMIT 100`,
});

/** Ends a session of a member. False: it has none with this ID. */
export const deleteSession = hasRow<[staffId: string, sessionId: string]>({
  name: 'end-staff-session',
  text: 'DELETE FROM staff_sessions WHERE staff_id = $1 AND session_id = $2 RETURNING session_id',
});

/** Ends the sessions of a member, except one. Returns how many. */
export const deleteSessions = countRows<[staffId: string, except: string | null]>({
  name: 'end-staff-sessions',
  text: `DELETE FROM staff_sessions WHERE staff_id = $1 AND session_id IS DISTINCT FROM $2
    RETURNING session_id`,
});
