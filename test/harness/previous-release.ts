/** The release before this one, from its archive: `npm run keep-release` has made it. */
import { execFile } from 'node:child_process';
import { mkdir, readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { seededCapabilities } from '../../src/contract/scopes.ts';
import type { Settlement } from '../../src/contract/wire.ts';
import {
  checkAgainstDocument,
  checkOf,
  type CommittedDocument,
  type DocumentCheck,
} from './document.ts';
import { Partner, type Credentials } from './partner.ts';
import { projectRoot } from './service-process.ts';

const run = promisify(execFile);

// A clone of CI may have neither tags nor earlier commits.
const archive = path.join(projectRoot, 'test/fixtures/previous-release.tar.gz');

/** Large or built files, which differ little between releases: those of this one serve. */
const shared = ['node_modules', 'docs', 'console', 'src/simulation/pictures'];

/** Unpacks the previous release into a new folder. */
export async function unpackPreviousRelease(folder: string): Promise<string> {
  await mkdir(folder);
  await run('tar', ['-xzf', archive, '-C', folder]);
  for (const name of shared) {
    await symlink(path.join(projectRoot, name), path.join(folder, name));
  }
  return folder;
}

/**
 * During an upgrade a response is one of either release. One of the release before may show members that this one has
 * stored: objects may gain members within a wire version.
 */
async function checkOfBoth(project: string): Promise<DocumentCheck> {
  const text = await readFile(path.join(project, 'openapi.json'), 'utf8');
  const before = JSON.parse(text) as CommittedDocument;
  const ofBefore = checkOf(before, before);
  return (operationId, status, body) => {
    try {
      checkAgainstDocument(operationId, status, body);
    } catch {
      ofBefore(operationId, status, body);
    }
  };
}

/**
 * Registers a partner of the simulation with the command line of a release. Statements of this one may name
 * columns that its database does not have yet.
 */
export async function registerWithRelease(
  project: string,
  env: Record<string, string>,
  { origin, settlement }: { origin: string; settlement: Settlement },
): Promise<Partner> {
  const quota = ['read', 'search', 'write', 'signal'].map((tier) => `${tier}=1000000`).join();
  const words = ['--name', settlement, '--settlement', settlement, '--quota', quota];
  const grants = ['--grants', seededCapabilities.join(), '--reservations-per-day', '1000000'];
  const { stdout } = await run(
    process.execPath,
    ['src/cli/latchkey.ts', 'application', 'create', ...words, ...grants, '--json'],
    { cwd: project, env: { ...process.env, ...env } },
  );
  const credentials = { ...(JSON.parse(stdout) as Credentials), settlement };
  return new Partner(origin, credentials, await checkOfBoth(project));
}
