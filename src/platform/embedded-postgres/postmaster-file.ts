/** `postmaster.pid`: what a running PostgreSQL says of itself in its cluster folder, and what a killed one leaves there. */
import { open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { handOver } from './account.ts';
import type { Account } from './run-program.ts';

/** The lines of `postmaster.pid` that matter here. */
export interface PostmasterFile {
  pid: number;
  port: number;
  /** Empty: it listens on no Unix socket. */
  socketFolder: string;
  /** Whether it takes connections. */
  ready: boolean;
}

/** Reads `postmaster.pid`; undefined if there is none, or none that a whole server has written. */
export async function readPostmasterFile(cluster: string): Promise<PostmasterFile | undefined> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(ignoreAbsence);
  const [pid, , , port, socketFolder, , , status] = (text ?? '').split('\n');
  if (!(Number(pid) > 0)) return undefined;
  return {
    pid: Number(pid),
    port: Number(port),
    socketFolder: socketFolder ?? '',
    ready: status?.trim() === 'ready',
  };
}

/**
 * Makes the file of a dead server acceptable to the next one. PostgreSQL refuses to start while any
 * process has the pid in it, whatever that process is by now, except its own parent: so our pid goes
 * there. The file itself has to stay: through the shared memory it names, the next server finds out
 * whether backends of the dead one are still at work.
 */
export async function disownPostmasterFile(cluster: string, account: Account): Promise<void> {
  const path = join(cluster, 'postmaster.pid');
  const text = await readFile(path, 'utf8').catch(ignoreAbsence);
  if (text === undefined || process.platform === 'win32') return;

  // A new file, never a write to the old path: the folder may be another account's, and the path a link of its making.
  const replacement = `${path}.latchkey`;
  await rm(replacement, { force: true });
  const file = await open(replacement, 'wx', 0o600);
  try {
    await file.writeFile(text.replace(/^.*/, String(process.pid)));
  } finally {
    await file.close();
  }
  await handOver(replacement, account);
  await rename(replacement, path);
}

function ignoreAbsence(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
