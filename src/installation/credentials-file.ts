/** The file in the data folder with the simulation's applications and keys, for partner developers. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import Type from 'typebox';
import { Check } from 'typebox/schema';
import { settlements } from '../contract/wire.ts';
import { InstallationError } from '../platform/postgres/installation.ts';
import { replaceSecretFile } from '../platform/secret-file.ts';

const SandboxCredentials = Type.Object({
  baseUrl: Type.String(),
  applications: Type.Array(
    Type.Object({
      name: Type.String(),
      settlement: Type.Enum([...settlements]),
      applicationId: Type.String(),
      applicationKey: Type.String(),
    }),
  ),
});

/** The content of the file. */
export type SandboxCredentials = Type.Static<typeof SandboxCredentials>;

/** The result of reading the file. */
export type FoundCredentials =
  | { state: 'read'; credentials: SandboxCredentials }
  | { state: 'missing' }
  | { state: 'unreadable'; reason: string };

/** The path of the file. */
export const credentialsFile = (dataDir: string): string =>
  path.join(dataDir, 'sandbox-credentials.json');

const unreadable = (reason: string): FoundCredentials => ({ state: 'unreadable', reason });

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Reads the file. A problem with it is a result, not an error. */
export async function readCredentials(dataDir: string): Promise<FoundCredentials> {
  try {
    const content = parsed(await readFile(credentialsFile(dataDir), 'utf8'));
    if (Check(SandboxCredentials, content)) return { state: 'read', credentials: content };
    return unreadable('its content is not in the format that Latchkey writes');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? { state: 'missing' } : unreadable(message);
  }
}

/** Writes the file atomically, readable by its owner only. Throws `InstallationError`. */
export async function writeCredentials(
  dataDir: string,
  credentials: SandboxCredentials,
): Promise<void> {
  const file = credentialsFile(dataDir);
  try {
    await replaceSecretFile(file, `${JSON.stringify(credentials, null, 2)}\n`);
  } catch (error) {
    throw new InstallationError(`${file} cannot be written: ${(error as Error).message}`);
  }
}
