import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile } from 'node:fs/promises';
import path from 'node:path';

/** The master key in the data folder cannot be used. */
export class MasterKeyError extends Error {}

const keyBytes = 32;

async function readKey(file: string): Promise<Buffer | null> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new MasterKeyError(`${file} cannot be read: ${error.message}`);
  });
  if (text === null) return null;
  const key = Buffer.from(text.trim(), 'base64');
  if (key.length !== keyBytes)
    throw new MasterKeyError(`${file} is not ${keyBytes} bytes in base64.`);
  return key;
}

/**
 * The key under which secrets and guests' details are sealed: the one given, or the one in the data
 * folder (mode 0600), made at the first start.
 */
export async function masterKeyIn(dataDir: string, given: Buffer | null): Promise<Buffer> {
  if (given) return given;
  const file = path.join(dataDir, 'master.key');
  const kept = await readKey(file);
  if (kept) return kept;
  const key = randomBytes(keyBytes);
  try {
    await mkdir(dataDir, { recursive: true });
    const handle = await open(file, 'wx', 0o600);
    await handle.writeFile(`${key.toString('base64')}\n`);
    await handle.sync();
    await handle.close();
    return key;
  } catch (error) {
    // Another process made it meanwhile.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return masterKeyIn(dataDir, given);
    throw new MasterKeyError(`${file} cannot be written: ${(error as Error).message}`);
  }
}
