/** The folder of a run of the tests, which all its processes share. */
import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import path from 'node:path';
import { scratchFolder } from './scratch-folder.ts';

const variable = 'LATCHKEY_TEST_FOLDER';

function openRunFolder(): string {
  const folder = realpathSync(mkdtempSync(path.join(scratchFolder, 'latchkey-test-')));
  // Started by root, PostgreSQL runs as nobody and must be able to enter this folder.
  chmodSync(folder, 0o711);
  process.env[variable] = folder;
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/**
 * The folder of this run. The first process that asks for it creates it, tells the processes that it starts, and
 * removes it when it ends.
 */
export const runFolder = (): string => process.env[variable] ?? openRunFolder();
