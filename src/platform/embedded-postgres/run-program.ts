/** Runs PostgreSQL's programs under the account meant for them. */
import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { parse } from 'node:path';

/** A way to run a program as someone who may run PostgreSQL. */
export interface Account {
  /** For messages. */
  name: string;
  /** The ids to change to, which own the server's files; absent: those of this process. */
  identity?: { uid: number; gid: number };
  /** The command that the program's own command line is put behind. */
  through: readonly string[];
}

/** How a program ended, and what it printed on stdout and stderr together. */
export interface ProgramEnd {
  /** Null: ended by a signal. */
  exitCode: number | null;
  output: string;
}

/** Spawns a program under an account, in a process group of its own; throws, or emits `error`, if that cannot be. */
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
    // Somewhere that every account can enter.
    cwd: parse(process.cwd()).root,
    // Ctrl-C in the terminal is for the service, which stops the database when it has finished with it.
    detached: true,
    windowsHide: true,
  });
}

/** Runs a program to its end under an account; rejects only if it cannot be run at all. */
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
    // A program that ends without reading closes the pipe; how it ended tells more than that.
    child.stdin?.on('error', () => undefined).end(input);
  });
}

/** Node takes these ids as signed numbers here, and as unsigned ones elsewhere; nobody on macOS is beyond the signed. */
function asSigned({ uid, gid }: { uid: number; gid: number }): { uid: number; gid: number } {
  return { uid: uid | 0, gid: gid | 0 };
}

/** Nothing of the service's own environment: it holds secrets, and PG… variables would change what is started. */
function environment(): NodeJS.ProcessEnv {
  const kept = ['PATH', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'SystemRoot', 'TEMP', 'TMP'];
  const inherited = kept.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  });
  return { ...Object.fromEntries(inherited), LC_ALL: 'C', TZ: 'UTC' };
}
