import { hash } from 'node:crypto';

/** A short digest of the content: 22 characters, base64url. */
export const contentDigest = (content: string | Buffer): string =>
  hash('sha256', content, 'base64url').slice(0, 22);

/** A strong entity tag of the content, in quotes. */
export const etagOf = (content: string | Buffer): string => `"${contentDigest(content)}"`;

const withoutWeakness = (tag: string): string => tag.trim().replace(/^W\//, '');

/** Whether an `If-None-Match` header names an entity tag: `*`, or one of a list, weak or not (RFC 9110, 13.1.2). */
export function namesTag(header: string | undefined, etag: string): boolean {
  const named = header?.split(',').map(withoutWeakness) ?? [];
  return named.includes('*') || named.includes(withoutWeakness(etag));
}
