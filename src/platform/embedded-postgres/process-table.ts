/** Information of the operating system about processes that are not our children. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** Whether a process of any owner has this ID. True for a zombie process. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Whether the process is the PostgreSQL of this cluster, and not another process with a reused ID. */
export async function isPostmasterOf(pid: number, cluster: string): Promise<boolean> {
  if (!isAlive(pid)) return false;
  // On Windows, a signal goes through a pipe that only PostgreSQL has, so a wrong ID is harmless.
  if (process.platform === 'win32') return true;
  const command = await commandLine(pid);
  return command.replaceAll('\0', ' ').includes(` -D ${cluster} `);
}

/** The command of a process; empty: the system does not say. */
export async function commandLine(pid: number): Promise<string> {
  // Reads /proc on Linux, because many containers have no ps.
  if (process.platform === 'linux') {
    return readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  }
  const ps = promisify(execFile)('ps', ['-ww', '-o', 'command=', '-p', String(pid)]);
  return ps.then(
    ({ stdout }) => stdout,
    () => '',
  );
}
