import { createHash, randomBytes } from 'node:crypto';

const prefix = 'lko_';

/** The SHA-256 of a token. Tokens are looked up by it, so that none is ever compared. */
export const tokenDigest = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Creates a token: the prefix and 32 random bytes in base64url. */
export const newToken = (): string => `${prefix}${randomBytes(32).toString('base64url')}`;
