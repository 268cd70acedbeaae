import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import { isRunning, postmasterOf } from './embedded.ts';
import { eventually } from './eventually.ts';
import { scratchFolder } from './scratch-folder.ts';
import { endAll } from './service-process.ts';
import { copyUsed } from './used-folder.ts';

/** The data folders of a test file. */
export interface DataFolders {
  /** A path of a folder that does not exist yet. */
  folder(suffix?: string): string;
  /** A folder in which the service has been started and stopped before. */
  usedFolder(): Promise<string>;
  /** Stops running services, and removes everything. */
  clear(): Promise<void>;
}

/** Creates the parent folder. */
export async function makeDataFolders(): Promise<DataFolders> {
  const root = await realpath(await mkdtemp(path.join(scratchFolder, 'lk-start-')));
  // Started by root, PostgreSQL runs as nobody and must be able to enter this folder.
  await chmod(root, 0o711);
  const folders: string[] = [];
  const folder = (suffix = ''): string => {
    const name = path.join(root, `${folders.length}${suffix}`);
    folders.push(name);
    return name;
  };

  return {
    folder,
    async usedFolder() {
      const copy = folder();
      await copyUsed('', copy);
      return copy;
    },
    async clear() {
      await endAll();
      for (const dataDir of folders) {
        const pid = await postmasterOf(dataDir);
        if (pid === null) continue;
        process.kill(pid, 'SIGQUIT');
        await eventually(async () => !isRunning(pid), 10_000);
      }
      await rm(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
