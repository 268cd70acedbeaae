export type { Application } from '../db/applications.ts';
export { createAccessTokens, type AccessTokens, type TokenClaims } from './access-token.ts';
export { keyDigest, keyIdOf, mintKey } from './application-key.ts';
export {
  createApplicationRegistry,
  registryFreshMs,
  type ApplicationRegistry,
} from './application-registry.ts';
export { createBuckets } from './buckets.ts';
export { readCursor, writeCursor, type CursorOwner } from './cursor.ts';
export { newPortalSecret, portalDigest } from './portal-secret.ts';
export { createQuotas, type Quotas } from './quotas.ts';
export { newSession, sessionCapability, sessionRefusal } from './session-capability.ts';
export { openSigningKeys, rotateSigningKeys, type SigningKeys } from './signing-keys.ts';
export { createTokenExchange, type TokenExchange, type TokenRefusal } from './token-endpoint.ts';
