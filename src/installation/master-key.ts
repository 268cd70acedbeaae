import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { makeSecretFile, readSecretFile } from '../platform/secret-file.ts';

/** The master key in the data folder cannot be used. */
export class MasterKeyError extends Error {}

const keyBytes = 32;

/** The path of the key in the data folder. */
export const masterKeyFile = (dataDir: string): string => path.join(dataDir, 'master.key');

/** Reads the key in the data folder. Null: there is none. Throws `MasterKeyError`. */
export async function readMasterKey(dataDir: string): Promise<Buffer | null> {
  const file = masterKeyFile(dataDir);
  const text = await readSecretFile(file).catch((error: Error) => {
    throw new MasterKeyError(`${file} cannot be read: ${error.message}`);
  });
  if (text === null) return null;
  const key = Buffer.from(text.trim(), 'base64');
  if (key.length !== keyBytes)
    throw new MasterKeyError(`${file} is not ${keyBytes} bytes in base64.`);
  return key;
}

/**
 * Creates the key that seals secrets and guests' details, in the data folder (mode 0600). Returns an existing
 * key unchanged. Throws `MasterKeyError`.
 */
export async function makeMasterKey(dataDir: string): Promise<Buffer> {
  const file = masterKeyFile(dataDir);
  await makeSecretFile(file, `${randomBytes(keyBytes).toString('base64')}\n`).catch(
    (error: Error) => {
      throw new MasterKeyError(`${file} cannot be written: ${error.message}`);
    },
  );
  const made = await readMasterKey(dataDir);
  if (!made) throw new MasterKeyError(`${file} was removed while it was created.`);
  return made;
}
