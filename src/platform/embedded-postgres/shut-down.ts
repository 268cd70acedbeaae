/** Shuts a PostgreSQL server down without losing data. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Binaries } from './binaries.ts';
import { EmbeddedPostgresError } from './embedded-postgres.ts';
import { runToEnd } from './run-program.ts';

/** A part of the ten seconds in which the service must stop. */
const fastMilliseconds = 6_000;
const immediateMilliseconds = 15_000;

/**
 * Fast shutdown: rolls open transactions back and writes everything. If that takes too long, an immediate one,
 * which loses nothing: the next start replays the log. Throws EmbeddedPostgresError if the server does not stop.
 */
export async function shutDown(
  pid: number,
  isGone: () => boolean | Promise<boolean>,
  binaries: Binaries,
): Promise<void> {
  // Another process may have this ID now.
  if (await isGone()) return;
  await signal(pid, 'INT', binaries);
  if (await comesTrue(isGone, fastMilliseconds)) return;
  await signal(pid, 'QUIT', binaries);
  if (await comesTrue(isGone, immediateMilliseconds)) return;
  throw new EmbeddedPostgresError(
    `PostgreSQL (process ${pid}) does not stop. End it with "kill -9 ${pid}".`,
  );
}

async function comesTrue(
  condition: () => boolean | Promise<boolean>,
  withinMilliseconds: number,
): Promise<boolean> {
  const end = performance.now() + withinMilliseconds;
  while (performance.now() < end) {
    if (await condition()) return true;
    await sleep(5);
  }
  return false;
}

async function signal(pid: number, name: 'INT' | 'QUIT', binaries: Binaries): Promise<void> {
  if (process.platform === 'win32') {
    // Windows has no signals, and kill() would terminate the process. pg_ctl uses PostgreSQL's pipe instead.
    const here = { name: 'the account of this process', through: [] };
    await runToEnd(here, binaries.pg_ctl, ['kill', name, String(pid)]);
    return;
  }
  try {
    process.kill(pid, `SIG${name}`);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ESRCH') return;
    throw new EmbeddedPostgresError(
      `PostgreSQL (process ${pid}) runs under another account, and this one may not stop it. Stop it first.`,
      { cause },
    );
  }
}
