/**
 * Compares the lockfile with advisories in the format of OSV, without a network.
 * `node src/build/vulnerabilities.ts` uses the pinned list; `--advisories PATH` another file, or a folder of files as
 * osv.dev exports them. Exits with 1 if a version that is used is affected.
 */
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { compare, valid } from 'semver';

/** What this check reads of an advisory (https://ossf.github.io/osv-schema/). */
export interface Advisory {
  id: string;
  summary?: string;
  /** It was taken back. */
  withdrawn?: string;
  affected: readonly {
    package: { ecosystem: string; name: string };
    ranges?: readonly {
      type: string;
      events: readonly { introduced?: string; fixed?: string; last_affected?: string }[];
    }[];
    versions?: readonly string[];
  }[];
}

/** A version of a package in the lockfile. */
export interface LockedPackage {
  name: string;
  version: string;
  /** It is not installed where the service runs. */
  isDev: boolean;
}

/** An affected version that is used. */
export interface Vulnerability extends LockedPackage {
  id: string;
  summary: string;
}

interface Lockfile {
  packages: Record<string, { version?: string; name?: string; dev?: boolean; link?: boolean }>;
}

/** The packages of a lockfile, each version once. */
export function lockedPackages({ packages }: Lockfile): LockedPackage[] {
  const found = Object.entries(packages).flatMap(([place, { version, name, dev, link }]) => {
    const [, ...nested] = place.split('node_modules/');
    const last = name ?? nested.at(-1);
    if (last === undefined || version === undefined || link) return [];
    return [{ name: last, version, isDev: dev ?? false }];
  });
  const shipped = new Set(
    found.filter(({ isDev }) => !isDev).map((one) => `${one.name}@${one.version}`),
  );
  const once = new Map(found.map((one) => [`${one.name}@${one.version}`, one]));
  return [...once].map(([key, one]) => ({ ...one, isDev: !shipped.has(key) }));
}

type Affected = Advisory['affected'][number];
type Range = NonNullable<Affected['ranges']>[number];

/** Goes through the events of a range in their order: each turns on or off whether a version is affected. */
function isInRange(version: string, { type, events }: Range): boolean {
  if (type !== 'SEMVER' && type !== 'ECOSYSTEM') return false;
  let isAffected = false;
  for (const { introduced, fixed, last_affected: last } of events) {
    if (introduced !== undefined && (introduced === '0' || compare(version, introduced) >= 0)) {
      isAffected = true;
    }
    if (fixed !== undefined && compare(version, fixed) >= 0) isAffected = false;
    if (last !== undefined && compare(version, last) > 0) isAffected = false;
  }
  return isAffected;
}

const isAffectedBy = ({ name, version }: LockedPackage, affected: Affected): boolean =>
  affected.package.ecosystem === 'npm' &&
  affected.package.name === name &&
  valid(version) !== null &&
  ((affected.versions?.includes(version) ?? false) ||
    (affected.ranges ?? []).some((range) => isInRange(version, range)));

/** Finds the versions that advisories affect. */
export const findVulnerabilities = (
  packages: readonly LockedPackage[],
  advisories: readonly Advisory[],
): Vulnerability[] =>
  advisories
    .filter(({ withdrawn }) => withdrawn === undefined)
    .flatMap(({ id, summary = '', affected }) =>
      packages
        .filter((one) => affected.some((some) => isAffectedBy(one, some)))
        .map((one) => ({ ...one, id, summary })),
    );

/** Reads advisories: a file with one or a list, or a folder of such files. */
export async function readAdvisories(place: string): Promise<Advisory[]> {
  if (!(await stat(place)).isDirectory()) {
    return [JSON.parse(await readFile(place, 'utf8')) as Advisory | Advisory[]].flat();
  }
  const advisories: Advisory[] = [];
  for (const name of await readdir(place)) {
    if (name.endsWith('.json')) advisories.push(...(await readAdvisories(path.join(place, name))));
  }
  return advisories;
}

const root = path.resolve(import.meta.dirname, '../..');

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { advisories: { type: 'string' } } });
  const place = values.advisories ?? path.join(root, 'deploy/advisories.json');
  const lockfile = await readFile(path.join(root, 'package-lock.json'), 'utf8');
  const packages = lockedPackages(JSON.parse(lockfile) as Lockfile);
  const advisories = await readAdvisories(place);
  const found = findVulnerabilities(packages, advisories);
  for (const { id, name, version, isDev, summary } of found) {
    const where = isDev ? ' (development only)' : '';
    process.stdout.write(`${id}: ${name} ${version}${where}: ${summary}\n`);
  }
  process.stdout.write(
    `${packages.length} versions of the lockfile, ${advisories.length} advisories, ${found.length} found.\n`,
  );
  if (found.length > 0) process.exitCode = 1;
}

if (import.meta.main) await main();
