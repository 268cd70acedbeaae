import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type FileStorage, StorageError } from './file-storage.ts';

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

// Far longer than it takes to write a file.
const partMs = 3_600_000;

/**
 * Stores files in a folder, and while they are written in one beside it. Both are made when the first file is
 * written.
 */
export function folderStorage(folder: string): FileStorage {
  const parts = `${folder}.parts`;
  const failed = (error: unknown): StorageError =>
    new StorageError(`the folder ${folder} cannot be used (${codeOf(error) ?? 'unknown'})`, error);

  async function writeWhole(file: string, content: Buffer): Promise<void> {
    // A reader never sees a part of a file, also after a crash.
    const part = path.join(parts, randomUUID());
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
        await mkdir(parts, { recursive: true });
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
    async removeParts() {
      try {
        for (const name of await readdir(parts)) {
          const part = path.join(parts, name);
          const { mtimeMs } = await stat(part);
          if (Date.now() - mtimeMs > partMs) await rm(part, { force: true });
        }
      } catch (error) {
        // No file was ever written, or another process has just removed or renamed a part.
        if (codeOf(error) !== 'ENOENT') throw failed(error);
      }
    },
  };
}
