/** What the operating system tells about processes that are not our children. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** Whether a process has this id now, whoever owns it; a dead one that nobody has waited for counts. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Whether the process is the PostgreSQL that was started on this cluster, and not another one that has its id by now. */
export async function isPostmasterOf(pid: number, cluster: string): Promise<boolean> {
  if (!isAlive(pid)) return false;
  // There, servers are signalled through a pipe that only a PostgreSQL with this id has: a mistake harms nobody.
  if (process.platform === 'win32') return true;
  const command = await commandLine(pid);
  return command.replaceAll('\0', ' ').includes(` -D ${cluster} `);
}

async function commandLine(pid: number): Promise<string> {
  // Many containers have no ps; only Linux has /proc.
  if (process.platform === 'linux') {
    return readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  }
  const ps = promisify(execFile)('ps', ['-ww', '-o', 'command=', '-p', String(pid)]);
  return ps.then(
    ({ stdout }) => stdout,
    () => '',
  );
}
