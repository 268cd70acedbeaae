import { createHash, randomBytes } from 'node:crypto';

/** The SHA-256 of a random secret, which is stored and looked up instead of it. */
export const secretDigest = (secret: string): Buffer =>
  createHash('sha256').update(secret).digest();

/** Creates a secret: 32 random bytes in base64url. */
export const newSecret = (): string => randomBytes(32).toString('base64url');
