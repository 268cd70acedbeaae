/** The file `erasures` in the data folder: who was erased, by keyed digests, so that a restore brings nobody back. */
import { mkdir, open } from 'node:fs/promises';
import path from 'node:path';
import { readSecretFile } from './secret-file.ts';

const fileIn = (dataDir: string): string => path.join(dataDir, 'erasures');

/** Where erasures are noted outside of the database. */
export interface ErasuresFile {
  /** Appends lines, and returns when they are on the disk. Throws errors of the file system. */
  append(lines: readonly string[]): Promise<void>;
  /** The lines of the file, oldest first; none: there is no file. */
  read(): Promise<string[]>;
}

/** The file of a data folder (mode 0600). */
export const erasuresFile = (dataDir: string): ErasuresFile => ({
  async append(lines) {
    await mkdir(dataDir, { recursive: true });
    const handle = await open(fileIn(dataDir), 'a', 0o600);
    try {
      // One write: lines of two processes do not mix.
      await handle.appendFile(lines.map((text) => `${text}\n`).join(''));
      await handle.sync();
    } finally {
      await handle.close();
    }
  },
  async read() {
    const text = await readSecretFile(fileIn(dataDir));
    return (text ?? '').split('\n').filter((one) => one.trim() !== '');
  },
});
