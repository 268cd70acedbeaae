/** A data folder in which the service has been started and stopped: created once in a run, then copied. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { eventually } from './eventually.ts';
import { runFolder } from './run-folder.ts';
import { serve } from './service-process.ts';

async function original(): Promise<string> {
  const folder = path.join(runFolder(), 'used-folder');
  const created = `${folder}/created`;
  const isFirst = await mkdir(folder, { mode: 0o711 }).then(
    () => true,
    () => false,
  );
  const dataDir = path.join(folder, 'data');
  if (isFirst) {
    const service = await serve({ dataDir });
    await service.stop();
    await writeFile(created, '');
  }
  await eventually(async () => existsSync(created), 60_000);
  return dataDir;
}

/** Copies a file or folder of the used data folder to a path that does not exist yet; `''`: all of it. */
export async function copyUsed(name: string, to: string): Promise<void> {
  // Unlike `fs.cp`, this keeps the owner.
  await promisify(execFile)('cp', ['-pR', path.join(await original(), name), to]);
}

/** The master key of the used data folder. */
export async function usedMasterKey(): Promise<Buffer> {
  const text = await readFile(path.join(await original(), 'master.key'), 'utf8');
  return Buffer.from(text, 'base64');
}
