/**
 * Prints a bill of materials (CycloneDX 1.5) of what an installation has, made from the lockfile without a network.
 * `npm sbom --omit dev` leaves out packages that development needs as well, so this is our own.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { uuidOfHex } from '../platform/uuid.ts';

interface LockedEntry {
  version?: string;
  name?: string;
  dev?: boolean;
  link?: boolean;
  resolved?: string;
  integrity?: string;
  license?: string;
}

/** A lockfile of npm, as far as this reads it. */
export interface Lockfile {
  name: string;
  version: string;
  packages: Readonly<Record<string, LockedEntry>>;
}

const hexLength = 128;

/** The name of a package by its place, such as `node_modules/a/node_modules/@b/c`. */
const nameAt = (place: string, { name }: LockedEntry): string =>
  name ?? place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);

const purlOf = (name: string, version: string): string =>
  `pkg:npm/${name.replace('@', '%40')}@${version}`;

function hashesOf(integrity: string | undefined) {
  const [algorithm, digest = ''] = integrity?.split('-') ?? [];
  if (algorithm !== 'sha512') return {};
  const content = Buffer.from(digest, 'base64').toString('hex');
  return content.length === hexLength ? { hashes: [{ alg: 'SHA-512', content }] } : {};
}

// An expression such as `(MIT OR Apache-2.0)` is none of the names of SPDX.
const licensesOf = (license: string | undefined) => {
  if (license === undefined) return {};
  return {
    licenses: [/[ ()]/.test(license) ? { expression: license } : { license: { name: license } }],
  };
};

/** The bill of materials of a lockfile. The same lockfile has the same one. */
export function billOf({ name, version, packages }: Lockfile) {
  const components = new Map<string, object>();
  for (const [place, entry] of Object.entries(packages)) {
    if (!place.includes('node_modules/') || entry.dev || entry.link) continue;
    if (entry.version === undefined) continue;
    const known = nameAt(place, entry);
    const purl = purlOf(known, entry.version);
    components.set(purl, {
      type: 'library',
      'bom-ref': purl,
      name: known,
      version: entry.version,
      purl,
      ...licensesOf(entry.license),
      ...hashesOf(entry.integrity),
    });
  }
  const listed = [...components.keys()].toSorted();
  const serial = createHash('sha256').update(listed.join('\n')).digest().subarray(0, 16);
  serial[6] = (serial[6]! & 0x0f) | 0x80;
  serial[8] = (serial[8]! & 0x3f) | 0x80;
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    serialNumber: `urn:uuid:${uuidOfHex(serial.toString('hex'))}`,
    version: 1,
    metadata: {
      component: { type: 'application', 'bom-ref': purlOf(name, version), name, version },
    },
    components: listed.map((purl) => components.get(purl)!),
  };
}

async function main(): Promise<void> {
  const file = path.resolve(import.meta.dirname, '../../package-lock.json');
  const lockfile = JSON.parse(await readFile(file, 'utf8')) as Lockfile;
  process.stdout.write(`${JSON.stringify(billOf(lockfile), null, 2)}\n`);
}

if (import.meta.main) await main();
