import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type FileStorage, StorageError } from './file-storage.ts';

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

/** Stores files in a folder. It is made when the first file is written. */
export function folderStorage(folder: string): FileStorage {
  const failed = (error: unknown): StorageError =>
    new StorageError(`the folder ${folder} cannot be used (${codeOf(error) ?? 'unknown'})`, error);

  async function writeWhole(file: string, content: Buffer): Promise<void> {
    // A reader never sees a part of a file, also after a crash.
    const part = `${file}.${randomUUID()}.part`;
    try {
      await writeFile(part, content, { flush: true });
      await rename(part, file);
    } catch (error) {
      await rm(part, { force: true });
      throw error;
    }
  }

  return {
    async write(name, content) {
      const file = path.join(folder, name);
      try {
        await mkdir(path.dirname(file), { recursive: true });
        await writeWhole(file, content);
      } catch (error) {
        throw failed(error);
      }
    },
    async read(name) {
      try {
        const file = await open(path.join(folder, name));
        const { size } = await file.stat();
        return { size, content: file.createReadStream() };
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return null;
        throw failed(error);
      }
    },
    async remove(name) {
      try {
        await rm(path.join(folder, name), { force: true });
      } catch (error) {
        throw failed(error);
      }
    },
  };
}
