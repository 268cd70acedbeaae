import { createHash, randomBytes } from 'node:crypto';

/** The secret of a portal link or session, and its stored digest. */
export interface PortalSecret {
  secret: string;
  digest: Buffer;
}

/** The SHA-256 of a secret. Secrets are looked up by it, so that none is ever compared. */
export const portalDigest = (secret: string): Buffer =>
  createHash('sha256').update(secret).digest();

/** Creates a secret: 32 random bytes in base64url. */
export function newPortalSecret(): PortalSecret {
  const secret = randomBytes(32).toString('base64url');
  return { secret, digest: portalDigest(secret) };
}
