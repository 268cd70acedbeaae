/** Applications and keys as documents for staff, with instants in ISO 8601. */
import { shownVersion } from './shown-version.ts';
import { instant } from '../../contract/time.ts';
import { type Application, changeableMembers } from '../store/applications.ts';
import type { ApplicationKey } from '../store/application-keys.ts';
import type { IssuedKey } from './application-keys.ts';
import type { NewApplication } from './create-application.ts';
import type { VerifiedReport } from '../store/reports.ts';
import type { IssuedLink } from './portal-links.ts';

/** An application. `slugs`: the slug of each catalog by its ID. */
export const applicationView = (application: Application, slugs: ReadonlyMap<string, string>) => ({
  applicationId: application.applicationId,
  name: application.name,
  settlement: application.settlement,
  state: application.suspendedAt === null ? ('active' as const) : ('suspended' as const),
  grants: application.grants,
  quotas: application.quotas,
  catalog: slugs.get(application.catalogId) ?? null,
  adjustPercent: application.adjustPercent,
  reservationsPerDay: application.reservationsPerDay,
  portalKeys: application.portalKeys,
  commissionPercent: application.commissionPercent,
  changes: application.changes,
  requireReport: application.requireReport,
  suspendedAt: instant(application.suspendedAt),
  suspendedReason: application.suspendedReason,
  createdAt: instant(application.createdAt),
  version: applicationVersion(application),
});

/** The version of what staff edit of an application. */
export const applicationVersion = (application: Application): number =>
  shownVersion({
    ...Object.fromEntries(changeableMembers.map((member) => [member, application[member]])),
    grants: application.grants.toSorted(),
    quotas: application.quotas,
  });

/** The last final run of an application; null: there is none. */
export const conformanceView = (run: VerifiedReport | undefined) =>
  run ? { ...run, finishedAt: instant(run.finishedAt) } : null;

/** A new application with its first key, which is not shown again. */
export function newApplicationView(created: NewApplication, slugs: ReadonlyMap<string, string>) {
  const {
    state: _state,
    requireReport: _requireReport,
    suspendedAt: _suspendedAt,
    suspendedReason: _suspendedReason,
    version: _version,
    ...shown
  } = applicationView(created, slugs);
  return { ...shown, ...issuedKeyView(created) };
}

/** A key that was just issued. */
export const issuedKeyView = ({ keyId, applicationKey, expiresAt }: IssuedKey) => ({
  keyId,
  applicationKey,
  expiresAt: instant(expiresAt),
});

/** A stored key. */
export const keyView = (key: ApplicationKey) => ({
  keyId: key.keyId,
  applicationId: key.applicationId,
  state: key.state,
  createdAt: instant(key.createdAt),
  expiresAt: instant(key.expiresAt),
  revokedAt: instant(key.revokedAt),
  lastUsedAt: instant(key.lastUsedAt),
  networks: key.networks,
});

/** A portal link, which is not shown again. */
export const portalLinkView = ({ url, expiresAt }: IssuedLink) => ({
  url,
  expiresAt: instant(expiresAt),
});
