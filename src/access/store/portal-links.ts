import type { EpochMs } from '../../contract/time.ts';
import type { Executor, Statement } from '../../platform/postgres/database.ts';

const insertStatement: Statement = {
  name: 'insert-portal-link',
  text: `WITH enabled AS (
      UPDATE applications SET portal_enabled_at = coalesce(portal_enabled_at, now())
      WHERE application_id = $1 RETURNING application_id
    )
    INSERT INTO portal_links (link_digest, application_id, expires_at, person_id)
    SELECT $2, application_id, now() + make_interval(hours => $3), $4 FROM enabled
    RETURNING expires_at`,
};

/**
 * Stores the digest of a link. The first link of an application starts its request log. Returns the expiry
 * of the link. Undefined: there is no such application.
 */
export async function insertPortalLink(
  executor: Executor,
  link: { applicationId: string; digest: Buffer; hours: number; personId: string | null },
): Promise<{ expiresAt: EpochMs } | undefined> {
  const [row] = await executor.query<{ expires_at: EpochMs }>(insertStatement, [
    link.applicationId,
    link.digest,
    link.hours,
    link.personId,
  ]);
  return row && { expiresAt: row.expires_at };
}

const useStatement: Statement = {
  name: 'use-portal-link',
  text: `UPDATE portal_links l SET used_at = now() FROM applications a
    WHERE l.link_digest = $1 AND l.used_at IS NULL AND l.expires_at > now()
      AND a.application_id = l.application_id AND a.suspended_at IS NULL
    RETURNING l.application_id, l.person_id`,
};

/** Consumes a link and returns its application, and its person; null: it is for nobody by name. Undefined: the link is not valid, or the application is suspended. */
export async function usePortalLink(
  executor: Executor,
  digest: Buffer,
): Promise<{ applicationId: string; personId: string | null } | undefined> {
  const [row] = await executor.query<{ application_id: string; person_id: string | null }>(
    useStatement,
    [digest],
  );
  return row && { applicationId: row.application_id, personId: row.person_id };
}
