import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { makeSecretFile, readSecretFile } from '../platform/secret-file.ts';

/** The master key in the data folder cannot be used. */
export class MasterKeyError extends Error {}

const keyBytes = 32;

/** The path of the key in the data folder. */
export const masterKeyFile = (dataDir: string): string => path.join(dataDir, 'master.key');

/** The keys of a text with one a line, the first for everything new. Null: it has none, or one that is none. */
export function masterKeysIn(text: string): readonly Buffer[] | null {
  const lines = text.split('\n').map((line) => line.trim());
  const keys = lines.filter((line) => line !== '').map((line) => Buffer.from(line, 'base64'));
  return keys.length > 0 && keys.every((key) => key.length === keyBytes) ? keys : null;
}

/** Reads the keys in the data folder, the first for everything new. Null: there is none. Throws `MasterKeyError`. */
export async function readMasterKeys(dataDir: string): Promise<readonly Buffer[] | null> {
  const file = masterKeyFile(dataDir);
  const text = await readSecretFile(file).catch((error: Error) => {
    throw new MasterKeyError(`${file} cannot be read: ${error.message}`);
  });
  if (text === null) return null;
  const keys = masterKeysIn(text);
  if (!keys) throw new MasterKeyError(`${file} is not ${keyBytes} bytes in base64.`);
  return keys;
}

/**
 * Creates the key that seals secrets and guests' details, in the data folder (mode 0600). Returns an existing
 * key unchanged. Throws `MasterKeyError`.
 */
export async function makeMasterKey(dataDir: string): Promise<readonly Buffer[]> {
  const file = masterKeyFile(dataDir);
  await makeSecretFile(file, `${randomBytes(keyBytes).toString('base64')}\n`).catch(
    (error: Error) => {
      throw new MasterKeyError(`${file} cannot be written: ${error.message}`);
    },
  );
  const made = await readMasterKeys(dataDir);
  if (!made) throw new MasterKeyError(`${file} was removed while it was created.`);
  return made;
}
