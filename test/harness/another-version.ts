/** Another version of this project: a copy of it, with something changed. */
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
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
  return folder;
}
