/** Where tests keep data folders and databases. */
import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const memory = '/dev/shm';
// Three data folders at a time for each of three processes, and the databases.
const neededBytes = 6 * 1024 ** 3;

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memory);
    return Math.min(bavail * bsize, process.availableMemory()) >= neededBytes;
  } catch {
    return false;
  }
}

/**
 * A folder in memory if there is room, otherwise the folder for temporary files. A database consists of
 * 300 files, and a disk takes ten times as long to create them. Tests kill processes, never the machine,
 * so memory keeps what a disk would.
 */
export const scratchFolder: string = hasRoom() ? memory : tmpdir();
