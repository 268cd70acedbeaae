/** Administration of portal links by staff. */
import { isRefusal, type Refusal } from '../../contract/errors.ts';
import { portalLimits } from '../../contract/portal/limits.ts';
import { auditedChange } from '../../platform/audit/audited-change.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { newSecret, secretDigest } from '../../platform/secret.ts';
import { insertPortalLink } from '../store/portal-links.ts';
import { type EpochMs, instant } from '../../contract/time.ts';
import { noApplication } from './staff-refusals.ts';

/** A link that was just issued. The full link is not stored. */
export interface IssuedLink {
  url: string;
  expiresAt: EpochMs;
}

/** Issues a portal link for one use. The first link of an application starts its request log. Spec: WEBHOOK-11. */
export async function issuePortalLink(
  database: Database,
  actor: string,
  { applicationId, baseUrl }: { applicationId: string; baseUrl: string },
): Promise<IssuedLink | Refusal<'not_found'>> {
  const secret = newSecret();
  const digest = secretDigest(secret);
  const link = await auditedChange(
    database,
    async (executor) =>
      (await insertPortalLink(executor, {
        applicationId,
        digest,
        hours: portalLimits.linkHours,
      })) ?? noApplication(applicationId),
    ({ expiresAt }) => ({
      actor,
      action: 'portal.link',
      applicationId,
      details: { expiresAt: instant(expiresAt) },
    }),
  );
  if (isRefusal(link)) return link;
  // In the fragment, which browsers do not send, so that no server logs it.
  return { url: `${baseUrl}/portal#link=${secret}`, expiresAt: link.expiresAt };
}
