import { createHash, randomBytes } from 'node:crypto';

/** The secret of a portal link or session, and what is stored of it. */
export interface PortalSecret {
  secret: string;
  digest: Buffer;
}

/** SHA-256: a secret is looked up by it, so that none is ever compared. */
export const portalDigest = (secret: string): Buffer =>
  createHash('sha256').update(secret).digest();

/** Makes a secret: 32 random bytes in base64url. */
export function newPortalSecret(): PortalSecret {
  const secret = randomBytes(32).toString('base64url');
  return { secret, digest: portalDigest(secret) };
}
