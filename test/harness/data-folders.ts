import { execFile } from 'node:child_process';
import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { isRunning, postmasterOf } from './embedded.ts';
import { eventually } from './eventually.ts';
import { endAll, serve } from './service-process.ts';

/** A place for the data folders of a test file. */
export interface DataFolders {
  /** A name for a folder that is not there yet. */
  folder(suffix?: string): string;
  /** A folder in which the service has been started and stopped before. */
  usedFolder(): Promise<string>;
  /** Ends what still runs, and removes everything. */
  clear(): Promise<void>;
}

/** Makes a dataFolders. Copies of one used folder spare most of the time of a first start. */
export async function makeDataFolders(): Promise<DataFolders> {
  const root = await realpath(await mkdtemp(path.join(tmpdir(), 'lk-start-')));
  // Started by root, PostgreSQL runs as nobody, who has to get through here.
  await chmod(root, 0o711);
  const folders: string[] = [];
  let original: Promise<string> | undefined;
  const folder = (suffix = ''): string => {
    const name = path.join(root, `${folders.length}${suffix}`);
    folders.push(name);
    return name;
  };

  async function makeOriginal(): Promise<string> {
    const dataDir = folder();
    const service = await serve({ dataDir });
    await service.stop();
    return dataDir;
  }

  return {
    folder,
    async usedFolder() {
      original ??= makeOriginal();
      const copy = folder();
      // Unlike Node's own copying, this keeps the owner.
      await promisify(execFile)('cp', ['-pR', await original, copy]);
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
