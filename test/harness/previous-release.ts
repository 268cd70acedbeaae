/** The release before this one, from its archive: `npm run keep-release` has made it. */
import { execFile } from 'node:child_process';
import { mkdir, readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { movedGuides } from '../../src/api/pages/guides.ts';
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
const shared = ['node_modules', 'console', 'src/simulation/pictures'];

/** The documents of this release, where that one looks for them: before each audience had a folder. */
async function linkDocuments(folder: string): Promise<void> {
  const link = (from: string, to: string) =>
    symlink(path.join(projectRoot, 'docs', to), path.join(folder, 'docs', from));
  await mkdir(path.join(folder, 'docs/guides'), { recursive: true });
  await link('rules', 'rules');
  await link('command-line.md', 'operators/command-line.md');
  await link('guides/pictures', 'reservations-team/pictures');
  for (const [from, to] of movedGuides(projectRoot)) {
    if (from.endsWith('.md')) await link(from.slice('/docs/'.length), to.slice('/docs/'.length));
  }
}

/** Unpacks the previous release into a new folder. */
export async function unpackPreviousRelease(folder: string): Promise<string> {
  await mkdir(folder);
  await run('tar', ['-xzf', archive, '-C', folder]);
  for (const name of shared) {
    await symlink(path.join(projectRoot, name), path.join(folder, name));
  }
  await linkDocuments(folder);
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
