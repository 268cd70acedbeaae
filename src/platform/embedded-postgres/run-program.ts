/** Runs PostgreSQL's programs under an account. */
import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { parse } from 'node:path';

/** An account that may run PostgreSQL, and how to run a program under it. */
export interface Account {
  /** For messages. */
  name: string;
  /** The IDs of the owner of the server's files. Absent: those of this process. */
  identity?: { uid: number; gid: number };
  /** The command that precedes the program's command line. */
  through: readonly string[];
}

/** The exit code of a program, and its combined stdout and stderr. */
export interface ProgramEnd {
  /** Null: ended by a signal. */
  exitCode: number | null;
  output: string;
}

/** Spawns a program under an account, in a new process group. Throws or emits `error` if that fails. */
export function spawnAs(
  account: Account,
  program: string,
  args: readonly string[],
  stdio: StdioOptions,
): ChildProcess {
  const [first = program, ...rest] = [...account.through, program, ...args];
  return spawn(first, rest, {
    ...(account.identity && asSigned(account.identity)),
    stdio,
    env: environment(),
    // A folder that every account can enter.
    cwd: parse(process.cwd()).root,
    // Ctrl-C must reach only the service, which stops the database last.
    detached: true,
    windowsHide: true,
  });
}

/** Runs a program under an account until it ends. Rejects only if the program cannot be started. */
export function runToEnd(
  account: Account,
  program: string,
  args: readonly string[],
  input = '',
): Promise<ProgramEnd> {
  return new Promise((resolve, reject) => {
    const child = spawnAs(account, program, args, ['pipe', 'pipe', 'pipe']);
    let output = '';
    const collect = (chunk: string): void => {
      output += chunk;
    };
    child.stdout?.setEncoding('utf8').on('data', collect);
    child.stderr?.setEncoding('utf8').on('data', collect);
    child.once('error', reject);
    child.once('close', (exitCode) => resolve({ exitCode, output: output.trim() }));
    // A program that ends without reading its input closes the pipe. Its exit code says more than this error.
    child.stdin?.on('error', () => undefined).end(input);
  });
}

/** `spawn` takes these IDs as signed numbers. The ID of nobody on macOS exceeds that range. */
function asSigned({ uid, gid }: { uid: number; gid: number }): { uid: number; gid: number } {
  return { uid: uid | 0, gid: gid | 0 };
}

/** The environment of a program. The service's own is not passed on: it holds secrets, and PG… variables change PostgreSQL's behaviour. */
function environment(): NodeJS.ProcessEnv {
  const kept = ['PATH', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'SystemRoot', 'TEMP', 'TMP'];
  const inherited = kept.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  });
  return { ...Object.fromEntries(inherited), LC_ALL: 'C', TZ: 'UTC' };
}
