import { chmod, mkdtemp, realpath } from 'node:fs/promises';
import path from 'node:path';
import { scratchFolder } from '../harness/scratch-folder.ts';

/** A folder that PostgreSQL's account can enter. */
export async function newFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(path.join(scratchFolder, 'lk-faults-')));
  await chmod(folder, 0o711);
  return folder;
}
