import type { Settlement } from '../../contract/wire.ts';
import type { EpochMs } from '../../contract/time.ts';
import type { Executor, Statement } from '../../platform/postgres/database.ts';

/** An active portal session and its application. */
export interface PortalSession {
  application: { applicationId: string; name: string; settlement: Settlement };
  expiresAt: EpochMs;
}

const insertStatement: Statement = {
  name: 'insert-portal-session',
  text: `INSERT INTO portal_sessions (session_digest, application_id, expires_at)
    VALUES ($1, $2, now() + make_interval(hours => $3))`,
};

/** Stores the digest of a new session. */
export async function insertPortalSession(
  executor: Executor,
  session: { digest: Buffer; applicationId: string; hours: number },
): Promise<void> {
  await executor.query(insertStatement, [session.digest, session.applicationId, session.hours]);
}

interface SessionRow {
  application_id: string;
  name: string;
  settlement: Settlement;
  expires_at: EpochMs;
}

const findStatement: Statement = {
  name: 'find-portal-session',
  text: `SELECT a.application_id, a.name, a.settlement, s.expires_at
    FROM portal_sessions s JOIN applications a ON a.application_id = s.application_id
    WHERE s.session_digest = $1 AND s.expires_at > now() AND a.suspended_at IS NULL`,
};

/** Reads a session. Undefined: there is none, it has expired, or its application is suspended. */
export async function findPortalSession(
  executor: Executor,
  digest: Buffer,
): Promise<PortalSession | undefined> {
  const [row] = await executor.query<SessionRow>(findStatement, [digest]);
  if (!row) return undefined;
  const { application_id: applicationId, name, settlement, expires_at: expiresAt } = row;
  return { application: { applicationId, name, settlement }, expiresAt };
}

const deleteStatement: Statement = {
  name: 'delete-portal-session',
  text: 'DELETE FROM portal_sessions WHERE session_digest = $1',
};

/** Ends a session. */
export async function deletePortalSession(executor: Executor, digest: Buffer): Promise<void> {
  await executor.query(deleteStatement, [digest]);
}
