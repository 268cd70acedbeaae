/** The release before this one, from its archive: `npm run keep-release` has made it. */
import { execFile } from 'node:child_process';
import { mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from './service-process.ts';

// A clone of CI may have neither tags nor earlier commits.
const archive = path.join(projectRoot, 'test/fixtures/previous-release.tar.gz');

/** Large or built files, which differ little between releases: those of this one serve. */
const shared = [
  'node_modules',
  'docs',
  'console',
  'src/simulation/pictures',
  'src/simulation/homes.json',
];

/** Unpacks the previous release into a new folder. */
export async function unpackPreviousRelease(folder: string): Promise<string> {
  await mkdir(folder);
  await promisify(execFile)('tar', ['-xzf', archive, '-C', folder]);
  for (const name of shared) {
    await symlink(path.join(projectRoot, name), path.join(folder, name));
  }
  return folder;
}
