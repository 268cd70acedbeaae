import { closeSync, openSync } from 'node:fs';
import path from 'node:path';

/** Whether no other process has claimed the name in this folder before. Claims it. */
export function claim(folder: string, name: string): boolean {
  try {
    closeSync(openSync(path.join(folder, encodeURIComponent(name)), 'wx'));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
