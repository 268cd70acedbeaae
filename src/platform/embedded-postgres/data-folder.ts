/** The folder that holds everything the service keeps on disk: made when absent, and refused with a reason when it cannot serve. */
import { constants, existsSync } from 'node:fs';
import { access, mkdir, realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres.ts';

const elsewhere = 'Set LATCHKEY_DATA_DIR to a folder that this account can write to.';

/** Where inside the data folder PostgreSQL keeps its own files. */
export function clusterFolder(dataFolder: string): string {
  return join(dataFolder, 'postgres');
}

/** Makes the data folder if it is absent and gives its real path; throws EmbeddedPostgresError if it is no writable folder. */
export async function openDataFolder(dataDir: string): Promise<string> {
  const path = resolve(dataDir);
  // Started by root, the server runs under another account, which has to get through this folder to its own.
  const mode = process.geteuid?.() === 0 ? 0o711 : 0o700;
  try {
    await makeFolder(path, mode);
    await access(path, constants.W_OK | constants.X_OK);
    return await realpath(path);
  } catch (cause) {
    throw new EmbeddedPostgresError(`${await complaint(path, cause)} ${elsewhere}`, { cause });
  }
}

/** Node's own `recursive` never returns where a folder cannot be made although the one above it exists, as in /proc. */
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
