import { hash } from 'node:crypto';

/** A short digest of the content: 22 characters, base64url. */
export const contentDigest = (content: string | Buffer): string =>
  hash('sha256', content, 'base64url').slice(0, 22);

/** A strong entity tag of the content, in quotes. */
export const etagOf = (content: string | Buffer): string => `"${contentDigest(content)}"`;
