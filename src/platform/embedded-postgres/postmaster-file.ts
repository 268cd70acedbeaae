/** Reads and repairs `postmaster.pid`, which a running PostgreSQL writes and a killed one leaves behind. */
import { open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { handOver } from './account.ts';
import type { Account } from './run-program.ts';

/** The lines of `postmaster.pid` that are used here. */
export interface PostmasterFile {
  pid: number;
  port: number;
  /** Empty: the server has no Unix socket. */
  socketFolder: string;
  /** Whether the server accepts connections. */
  ready: boolean;
}

/** Reads `postmaster.pid`. Undefined: it does not exist or is incomplete. */
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
 * Replaces the pid in the file of a dead server by our own. PostgreSQL refuses to start while any process
 * has the pid in the file, unless that process is its parent. The file itself must stay: it names the
 * shared memory by which the next server detects backends of the dead one that still run.
 */
export async function disownPostmasterFile(cluster: string, account: Account): Promise<void> {
  const path = join(cluster, 'postmaster.pid');
  const text = await readFile(path, 'utf8').catch(ignoreAbsence);
  if (text === undefined || process.platform === 'win32') return;

  // Writes a new file instead of the old path: another account may own the folder and have put a link there.
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
