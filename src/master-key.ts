import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rm } from 'node:fs/promises';
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

async function writeWhole(file: string, key: Buffer): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(`${key.toString('base64')}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Makes the file, whole or not at all; one that is there meanwhile stays as it is. */
async function makeKey(file: string): Promise<void> {
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    await mkdir(path.dirname(file), { recursive: true });
    await writeWhole(draft, randomBytes(keyBytes));
    await link(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return;
    throw new MasterKeyError(`${file} cannot be written: ${(error as Error).message}`);
  } finally {
    await rm(draft, { force: true }).catch(() => undefined);
  }
}

/**
 * The key under which secrets and guests' details are sealed: the one given, or the one in the data
 * folder (mode 0600), made at the first start. Throws `MasterKeyError`.
 */
export async function masterKeyIn(dataDir: string, given: Buffer | null): Promise<Buffer> {
  if (given) return given;
  const file = path.join(dataDir, 'master.key');
  const kept = await readKey(file);
  if (kept) return kept;
  await makeKey(file);
  const made = await readKey(file);
  if (!made) throw new MasterKeyError(`${file} was removed while it was made.`);
  return made;
}
