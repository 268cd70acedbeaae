import { readFileSync } from 'node:fs';
import path from 'node:path';

const manifest = path.join(import.meta.dirname, '../../release-manifest.json');

/** `sha256:` and the digest of the contract document, as the release manifest has it. */
export function contractDigest(): string {
  const { sha256 } = JSON.parse(readFileSync(manifest, 'utf8')) as { sha256: string };
  return `sha256:${sha256}`;
}
