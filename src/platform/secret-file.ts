/** Small files that hold a secret: readable by their owner only, written atomically. */
import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';

/** Reads the file. Null: it does not exist. Throws errors of the file system. */
export async function readSecretFile(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

async function writeWhole(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Writes a draft beside the file, and puts it in place with `place`. */
async function writeAtomically(
  file: string,
  text: string,
  place: (draft: string, file: string) => Promise<void>,
): Promise<void> {
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    await mkdir(path.dirname(file), { recursive: true });
    await writeWhole(draft, text);
    await place(draft, file);
  } finally {
    await rm(draft, { force: true }).catch(() => undefined);
  }
}

/** Creates the file (mode 0600). Keeps a file that exists. Throws errors of the file system. */
export async function makeSecretFile(file: string, text: string): Promise<void> {
  try {
    await writeAtomically(file, text, link);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Writes the file (mode 0600), in place of one that exists. Throws errors of the file system. */
export const replaceSecretFile = (file: string, text: string): Promise<void> =>
  writeAtomically(file, text, rename);
