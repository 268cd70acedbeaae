import type { EpochMs } from '../../contract/time.ts';
import { oneRow } from '../../platform/postgres/statement-functions.ts';

/** For whom a link is. */
export interface LinkHolder {
  applicationId: string;
  /** Null: nobody by name. */
  personId: string | null;
  /** The session of the person who has made it, with which it ends. Null: staff have. */
  issuedIn: string | null;
}

/**
 * Stores the digest of a link. The first link of an application starts its request log. Returns the expiry
 * of the link. Undefined: there is no such application.
 */
export const insertPortalLink = oneRow<
  [link: LinkHolder & { digest: Buffer; hours: number }],
  { expires_at: EpochMs },
  { expiresAt: EpochMs }
>({
  name: 'insert-portal-link',
  text: `WITH enabled AS (
      UPDATE applications SET portal_enabled_at = coalesce(portal_enabled_at, now())
      WHERE application_id = $1 RETURNING application_id
    )
    INSERT INTO portal_links (link_digest, application_id, expires_at, person_id, issued_in)
    SELECT $2, application_id, now() + make_interval(hours => $3), $4, $5 FROM enabled
    RETURNING expires_at`,
  values: (link) => [link.applicationId, link.digest, link.hours, link.personId, link.issuedIn],
  result: (row) => ({ expiresAt: row.expires_at }),
});

/** What a link opens. */
export interface UsedLink {
  applicationId: string;
  /** Null: it is for nobody by name. */
  personId: string | null;
  /** When the person came by a link of staff. Null: now. */
  admittedAt: EpochMs | null;
}

/** Consumes a link. Undefined: it is not valid, its session has ended, or the application is suspended. */
export const usePortalLink = oneRow<[digest: Buffer], UsedLink>({
  name: 'use-portal-link',
  text: `WITH link AS (
      SELECT l.link_digest, coalesce(s.admitted_at, s.created_at) AS admitted_at FROM portal_links l
      LEFT JOIN portal_sessions s ON s.application_id = l.application_id AND s.session_id = l.issued_in
        AND s.expires_at > now()
      WHERE l.link_digest = $1 AND (l.issued_in IS NULL OR s.session_id IS NOT NULL)
    )
    UPDATE portal_links l SET used_at = now() FROM link, applications a
    WHERE l.link_digest = link.link_digest AND l.used_at IS NULL AND l.expires_at > now()
      AND a.application_id = l.application_id AND a.suspended_at IS NULL
    RETURNING l.application_id AS "applicationId", l.person_id AS "personId", link.admitted_at AS "admittedAt"`,
});
