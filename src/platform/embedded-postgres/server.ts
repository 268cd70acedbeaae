/** Launches the server process. */
import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Binaries } from './binaries.ts';
import { EmbeddedPostgresError } from './embedded-postgres.ts';
import type { Listening } from './listening.ts';
import { readPostmasterFile } from './postmaster-file.ts';
import { spawnAs, type Account } from './run-program.ts';
import { openServerLog, readTail, type ServerLog } from './server-log.ts';
import { shutDown } from './shut-down.ts';

/** A server that accepts connections. */
export interface Server {
  /** Resolves when the process ends, with a sentence that says how it ended. */
  ended: Promise<string>;
  /** Shuts the server down (fast mode). Resolves when the process has ended. */
  stop(): Promise<void>;
}

/** The input of a launch. */
export interface Launch {
  dataFolder: string;
  cluster: string;
  account: Account;
  binaries: Binaries;
  listening: Listening;
  /** On the clock of `performance.now()`. */
  deadlineMilliseconds: number;
}

/** The server failed to start for a reason that may be temporary. */
export class PassingObstacle extends EmbeddedPostgresError {}

/** Settings for a small machine. Durability (fsync, full_page_writes, checksums) keeps PostgreSQL's defaults. */
const settings: Record<string, string> = {
  max_connections: '100',
  shared_buffers: '128MB',
  synchronous_commit: 'on',
  // After a crash the server ends. Version 18 can wait forever when it restarts itself: if the startup process fails
  // (for example because the disk is full) before the postmaster knows that recovery has begun.
  restart_after_crash: 'off',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Logs only errors, without values that a guest typed.
  log_min_messages: 'error',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_parameter_max_length: '0',
  log_parameter_max_length_on_error: '0',
  log_checkpoints: 'off',
};

const pollMilliseconds = 10;

/** Launches the server and waits until it accepts connections. If it does not, throws EmbeddedPostgresError with the end of its log. */
export async function launchServer(launch: Launch): Promise<Server> {
  const log = await openServerLog(launch.dataFolder);
  const child = spawnServer(launch, log);
  const ended = endOf(child);
  const end = await Promise.race([ended, becomesReady(child, launch)]);
  if (end === 'late') await shutDown(idOf(child), () => hasEnded(child), launch.binaries);
  if (end !== 'ready') throw await startFailure(end, launch, log);
  return {
    ended: ended.then((how) => `PostgreSQL ${how}; its log is ${log.path}`),
    stop: () => shutDown(idOf(child), () => hasEnded(child), launch.binaries),
  };
}

function spawnServer(
  { cluster, account, binaries, listening }: Launch,
  log: ServerLog,
): ChildProcess {
  const all = Object.entries({ ...settings, ...listening.settings });
  const args = ['-D', cluster, ...all.flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  try {
    return spawnAs(account, binaries.postgres, args, [
      'ignore',
      log.fileDescriptor,
      log.fileDescriptor,
    ]);
  } finally {
    log.close();
  }
}

function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(`could not be run (${error.message})`));
    child.once('exit', (code, signal) => {
      resolve(signal ? `was ended by ${signal}` : `ended with exit code ${code}`);
    });
  });
}

/** Waits until the server is ready. Reports `ended` only after the process has ended, so that the cause is known. */
async function becomesReady(
  child: ChildProcess,
  launch: Launch,
): Promise<'ready' | 'late' | 'ended'> {
  while (performance.now() < launch.deadlineMilliseconds) {
    const file = await readPostmasterFile(launch.cluster);
    if (file?.ready && file.pid === child.pid) return 'ready';
    if (hasEnded(child)) return 'ended';
    await sleep(pollMilliseconds);
  }
  return 'late';
}

async function startFailure(
  end: string,
  launch: Launch,
  log: ServerLog,
): Promise<EmbeddedPostgresError> {
  const tail = await readTail(log);
  const how = end === 'late' ? 'was not ready in time' : end;
  const message = `PostgreSQL did not start: under ${launch.account.name}, it ${how}. The end of ${log.path}:\n${tail || '(nothing)'}`;
  // Temporary: backends of a killed server finish their work first, or another process took the port.
  const passing = /pre-existing shared memory block|could not bind/.test(tail);
  return passing ? new PassingObstacle(message) : new EmbeddedPostgresError(message);
}

function hasEnded(child: ChildProcess): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
}

/** The process ID of a spawned child. If the spawn failed, `hasEnded` is true. */
function idOf(child: ChildProcess): number {
  return child.pid ?? 0;
}
