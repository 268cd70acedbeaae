/** The folder of a run of the tests, which all its processes share. */
import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import path from 'node:path';
import { scratchFolder } from './scratch-folder.ts';

const variable = 'LATCHKEY_TEST_FOLDER';

/** Creates a folder; the processes that this one starts get it from `runFolder`. */
export function openRunFolder(): string {
  const folder = realpathSync(mkdtempSync(path.join(scratchFolder, 'latchkey-test-')));
  // Started by root, PostgreSQL runs as nobody and must be able to enter this folder.
  chmodSync(folder, 0o711);
  process.env[variable] = folder;
  return folder;
}

/** The folder of this run. Throws if there is none. */
export function runFolder(): string {
  const folder = process.env[variable];
  if (!folder) throw new Error('run the tests with: npm test -- FILE …');
  return folder;
}

/** Removes the folder of this run, with everything in it. */
export function removeRunFolder(): void {
  rmSync(runFolder(), { recursive: true, force: true, maxRetries: 5 });
}
