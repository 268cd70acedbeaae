import { hash } from 'node:crypto';

/** A short digest of the content: 22 characters, base64url. */
export const contentDigest = (content: string | Buffer): string =>
  hash('sha256', content, 'base64url').slice(0, 22);

/** A strong entity tag of the content, in quotes. */
export const etagOf = (content: string | Buffer): string => `"${contentDigest(content)}"`;

const withoutWeakness = (tag: string): string => tag.trim().replace(/^W\//, '');

const noTags: readonly string[] = Object.freeze([]);

/** The entity tags of an `If-None-Match` header, weak ones without `W/`. */
export const tagsIn = (header: string | undefined): readonly string[] =>
  header?.split(',').map(withoutWeakness) ?? noTags;

/** Whether tags of `tagsIn` contain an entity tag, weak or not, or `*` (RFC 9110, 13.1.2). */
export const includesTag = (tags: readonly string[], etag: string): boolean =>
  tags.length > 0 && (tags.includes('*') || tags.includes(withoutWeakness(etag)));

/** The weak form of an entity tag. */
export const weakTag = (etag: string): string => (etag.startsWith('W/') ? etag : `W/${etag}`);
