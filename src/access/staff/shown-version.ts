import { createHash } from 'node:crypto';
import { canonicalJson } from '../../api/identity.ts';
import { limits } from '../../contract/limits.ts';

/**
 * The version of what staff edit: a number made of what it shows, so that it is another one whenever somebody has
 * changed that, by whatever way.
 */
export function shownVersion(shown: object): number {
  const digest = createHash('sha256').update(canonicalJson(shown)).digest();
  return (digest.readUInt32BE() % limits.maxVersion) + 1;
}
