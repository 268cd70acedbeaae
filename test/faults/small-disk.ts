/** A disk small enough for a test to fill it. */
import { execFile } from 'node:child_process';
import { chmod, open, rm, statfs } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { newFolder } from './new-folder.ts';

const run = promisify(execFile);
const chunk = Buffer.alloc(64 * 1024, 1);

/** A separate file system in memory. */
export interface SmallDisk {
  folder: string;
  /** Fills all free space. */
  fill(): Promise<void>;
  /** Frees the space. */
  makeRoom(): Promise<void>;
  remove(): Promise<void>;
}

/** Mounts one; null: this account or machine does not allow it. */
export async function mountSmallDisk(megabytes: number): Promise<SmallDisk | null> {
  const folder = await newFolder();
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=711`, 'tmpfs', folder]);
  } catch {
    await rm(folder, { recursive: true, force: true });
    return null;
  }
  await chmod(folder, 0o711);
  const ballast = path.join(folder, 'ballast');

  async function writeUntilFull(): Promise<void> {
    const file = await open(ballast, 'a');
    try {
      for (;;) await file.write(chunk);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    } finally {
      await file.close();
    }
  }

  return {
    folder,
    async fill() {
      for (let free = 1; free > 0; free = Number((await statfs(folder)).bavail)) {
        await writeUntilFull();
      }
    },
    makeRoom: () => rm(ballast, { force: true }),
    async remove() {
      await run('umount', [folder]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
