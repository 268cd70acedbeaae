/** Creates and checks the folder that contains all files of the service. */
import { constants, existsSync } from 'node:fs';
import { access, mkdir, realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres.ts';

const elsewhere = 'Set LATCHKEY_DATA_DIR to a folder that this account can write to.';

/** The folder of PostgreSQL's files inside the data folder. */
export function clusterFolder(dataFolder: string): string {
  return join(dataFolder, 'postgres');
}

/** Creates the data folder if it is missing and returns its real path. Throws EmbeddedPostgresError if it is not a writable folder. */
export async function openDataFolder(dataDir: string): Promise<string> {
  const path = resolve(dataDir);
  // If root starts the service, the server runs under another account, which must pass through this folder.
  const mode = process.geteuid?.() === 0 ? 0o711 : 0o700;
  try {
    await makeFolder(path, mode);
    await access(path, constants.W_OK | constants.X_OK);
    return await realpath(path);
  } catch (cause) {
    throw new EmbeddedPostgresError(`${await complaint(path, cause)} ${elsewhere}`, { cause });
  }
}

/** Creates a folder and its parents. Node's `recursive` option never returns if the folder cannot be created but its parent exists, as in /proc. */
async function makeFolder(path: string, mode: number): Promise<void> {
  try {
    await mkdir(path, { mode });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT' || existsSync(dirname(path))) throw error;
    await makeFolder(dirname(path), mode);
    await mkdir(path, { mode });
  }
}

async function complaint(path: string, cause: unknown): Promise<string> {
  const code = (cause as NodeJS.ErrnoException).code ?? String(cause);
  if (code === 'ENOTDIR')
    return `The data folder ${path} would lie inside something that is a file.`;
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) return `The data folder ${path} cannot be made (${code}).`;
  if (!found.isDirectory()) return `The data folder ${path} is a file, not a folder.`;
  return `The data folder ${path} is not writable (${code}).`;
}
