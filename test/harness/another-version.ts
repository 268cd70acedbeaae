/** Another version of this project: a copy of it, with something changed. */
import { cp, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after } from 'node:test';
import { bundleFolder, bundlesFolder, digestOf } from '../../src/build/bundled.ts';
import { projectRoot } from './service-process.ts';

/** What a running service needs, below the folder of the project. */
export const copiedByVersions = [
  'src',
  'migrations',
  'docs',
  'console/dist',
  'package.json',
  'openapi.json',
  'portal-openapi.json',
  'sandbox-openapi.json',
  'operator-openapi.json',
  'release-manifest.json',
  'CHANGELOG.md',
  'SECURITY.md',
];

/**
 * Copies the bundle, too: a start from the sources takes three times the CPU time. It is kept where a bundle of the
 * copied sources is looked for, with their places instead of ours, until the tests of the file have ended.
 */
async function copyBundle(folder: string): Promise<void> {
  const from = bundleFolder();
  const to = path.join(bundlesFolder, `bundle-${digestOf(path.join(folder, 'src'))}`);
  after(() => rm(to, { recursive: true, force: true }));
  await mkdir(to);
  for (const name of await readdir(from)) {
    if (!name.endsWith('.mjs')) continue;
    const text = await readFile(path.join(from, name), 'utf8');
    await writeFile(path.join(to, name), text.replaceAll(`${projectRoot}/`, `${folder}/`));
  }
}

/** Copies what a service consists of into a folder, and adds migrations to it. */
export async function makeVersion(
  folder: string,
  migrations: Readonly<Record<string, string>>,
): Promise<string> {
  await mkdir(folder);
  for (const name of copiedByVersions) {
    await cp(path.join(projectRoot, name), path.join(folder, name), { recursive: true });
  }
  await symlink(path.join(projectRoot, 'node_modules'), path.join(folder, 'node_modules'));
  for (const [name, text] of Object.entries(migrations)) {
    await writeFile(path.join(folder, 'migrations', name), text);
  }
  await copyBundle(folder);
  return folder;
}
