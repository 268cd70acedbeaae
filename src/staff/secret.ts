import { createHash, randomBytes } from 'node:crypto';

/** The SHA-256 of a secret. Secrets are looked up by it, so that none is ever compared. */
export const secretDigest = (secret: string): Buffer =>
  createHash('sha256').update(secret).digest();

/** Creates a secret: 32 random bytes in base64url. */
export const newSecret = (): string => randomBytes(32).toString('base64url');

/** Creates a token, with a prefix by which it is found in texts where it should not be. */
export const newToken = (): string => `lko_${newSecret()}`;
