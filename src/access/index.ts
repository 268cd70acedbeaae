export { type AccessTokens, createAccessTokens, type TokenClaims } from './access-token.ts';
export { insertNewKey, keyIssuedEntry } from './staff/application-keys.ts';
export { resumeApplication, setQuotas, suspendApplication } from './staff/change-application.ts';
export {
  applicationCreatedEntry,
  createApplication,
  registerApplication,
} from './staff/create-application.ts';
export { findApplicationByIdOrName } from './staff/find-application.ts';
export { setApplication } from './staff/set-application.ts';
export { listAuditTrail } from './staff/audit-trail.ts';
export { amountRefusal, noApplication, seenRefusal } from './staff/staff-refusals.ts';
export {
  feedPageForStaff,
  type PageOfStaff,
  type PageRequest,
  pageForStaff,
  sparsePageForStaff,
} from './staff/staff-page.ts';
export { applicationView, conformanceView, newApplicationView } from './staff/views.ts';
export { keyIdOf } from './application-key.ts';
export {
  type ApplicationRegistry,
  createApplicationRegistry,
  registryFreshMs,
} from './application-registry.ts';
export { networksOf } from './staff/networks-of.ts';
export { createBuckets, type MakeBuckets, rateRefusal } from './buckets.ts';
export { createCallQuota } from './call-quota.ts';
export { openBuckets, type OpenBuckets } from './shared-buckets.ts';
export { type CursorOwner, readCursor, writeCursor } from './cursor.ts';
export {
  type PartnerActor,
  type PartnerCall,
  type PartnerCreateCall,
  partnerKinds,
} from './partner.ts';
export type {
  EndpointActor,
  EndpointContext,
  PortalActor,
  PortalContext,
} from './portal/context.ts';
export { portalCookie } from './portal/cookie.ts';
export { portalActs } from './portal/kinds.ts';
export { ownKeyActs } from './portal/keys.ts';
export { cutPage, positionAt, positionText } from './paging.ts';
export { type Page, pageForPartner, pageInPortal } from './page.ts';
export { ownSessionActs } from './portal/own-sessions.ts';
export { findActor, portalSessionOperations } from './portal/session.ts';
export { createQuotas, type Quotas } from './quotas.ts';
export {
  newSessionNonce,
  sessionCapability,
  sessionRefusal,
  type Session,
} from './session-capability.ts';
export { openSigningKeys, publicSigningKeys, type SigningKeys } from './signing-keys.ts';
export { findLastRun, insertVerifiedReport } from './store/reports.ts';
export { findUsableKey } from './store/application-keys.ts';
export {
  type Application,
  findApplication,
  listApplications,
  lockApplication,
  readApplicationNames,
  searchApplications,
  writeQuotas,
} from './store/applications.ts';
export { auditActs } from './staff/audit.ts';
export { keyActs } from './staff/keys.ts';
export { signingKeyActs } from './staff/signing-keys.ts';
export { createTokenExchange, type TokenExchange, type TokenRefusal } from './token-endpoint.ts';
export { shownVersion } from './staff/shown-version.ts';
export { sealedSigningKeys } from './store/signing-keys.ts';
export { effectsOf, type RunningScenario, runningOf } from './scenario.ts';
