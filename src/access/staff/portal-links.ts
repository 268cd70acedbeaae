/** What staff do with portal links. */
import type { Refusal } from '../../contract/errors.ts';
import { portalLimits } from '../../contract/portal/limits.ts';
import { auditedChange } from '../../platform/audit/audited-change.ts';
import type { Database, Executor } from '../../platform/postgres/database.ts';
import { newSecret, secretDigest } from '../../platform/secret.ts';
import { insertPortalLink, type LinkHolder } from '../store/portal-links.ts';
import { type EpochMs, instant } from '../../contract/time.ts';
import { noApplication } from './staff-refusals.ts';

/** A link that was just issued. The full link is not stored. */
export interface IssuedLink {
  url: string;
  expiresAt: EpochMs;
}

/** Within a transaction: stores a link for one use, of a person or of nobody by name. */
export async function insertLink(
  executor: Executor,
  { baseUrl, ...holder }: LinkHolder & { baseUrl: string },
): Promise<IssuedLink | Refusal<'not_found'>> {
  const secret = newSecret();
  const digest = secretDigest(secret);
  const hours = portalLimits.linkHours;
  const link = await insertPortalLink(executor, { ...holder, digest, hours });
  if (!link) return noApplication(holder.applicationId);
  // In the fragment, which browsers do not send, so that no server logs it.
  return { url: `${baseUrl}/portal#link=${secret}`, expiresAt: link.expiresAt };
}

/** Issues a portal link for one use. The first link of an application starts its request log. Spec: WEBHOOK-11. */
export async function issuePortalLink(
  database: Database,
  actor: string,
  { applicationId, baseUrl }: { applicationId: string; baseUrl: string },
): Promise<IssuedLink | Refusal<'not_found'>> {
  return auditedChange(
    database,
    (executor) => insertLink(executor, { applicationId, personId: null, issuedIn: null, baseUrl }),
    ({ expiresAt }) => ({
      actor,
      action: 'portal.link',
      applicationId,
      details: { expiresAt: instant(expiresAt) },
    }),
  );
}
