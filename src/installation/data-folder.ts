/** The file `environment` in a data folder: the folder belongs permanently to that environment. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Config } from '../config/config.ts';
import { InstallationError } from '../platform/postgres/installation.ts';
import { makeSecretFile, readSecretFile } from '../platform/secret-file.ts';

type Folder = Pick<Config, 'dataDir' | 'environment'>;

const fileIn = (dataDir: string): string => path.join(dataDir, 'environment');

// No start can change a folder that this account cannot write to.
const notWritable = new Set(['EACCES', 'EPERM', 'EROFS']);

/** Refuses a data folder of another environment. Throws `InstallationError`. */
export async function checkDataFolder({ dataDir, environment }: Folder): Promise<void> {
  const owner = (await readSecretFile(fileIn(dataDir)).catch(() => null))?.trim();
  if (owner === undefined || owner === environment) return;
  throw new InstallationError(
    `The data folder ${path.resolve(dataDir)} belongs to the environment ${owner}, not to ${environment}: set LATCHKEY_DATA_DIR to another folder.`,
  );
}

/** Records the environment of a data folder that exists. */
export async function claimDataFolder({ dataDir, environment }: Folder): Promise<void> {
  if (!existsSync(dataDir)) return;
  await makeSecretFile(fileIn(dataDir), `${environment}\n`).catch(
    (error: NodeJS.ErrnoException) => {
      if (!notWritable.has(error.code ?? '')) throw error;
    },
  );
}
