/** The service in its own process, as `npm start` runs it. */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';
import { send } from './http-client.ts';
import { testMasterKey, type TestDatabase } from './postgres.ts';
import { runFolder } from './run-folder.ts';

/** The folder of this project. */
export const projectRoot = path.join(import.meta.dirname, '../..');

// A large space for new objects: a start in a small one spends an eighth of its CPU time collecting garbage.
const newSpace = '--min-semi-space-size=16';

const commands = {
  node: (root: string) => [process.execPath, newSpace, path.join(root, 'src/main.ts')] as const,
  npm: (root: string) => ['npm', 'start', '--silent', '--prefix', root] as const,
} as const;

/** An account of the operating system. */
export interface Identity {
  uid: number;
  gid: number;
}

/** How a process is started. */
export interface Launch {
  dataDir: string;
  /** Additional to `PORT`, `LATCHKEY_DATA_DIR`, `PATH` and the compile cache. */
  env?: Record<string, string>;
  identity?: Identity;
  port?: number;
  /** The program that starts it; `node` by default. */
  by?: keyof typeof commands;
  /** The project folder; this one by default. */
  project?: string;
}

/** How a process ended. */
export interface ProcessEnd {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A line of the log. */
export type LogLine = Record<string, unknown> & { msg: string };

/** The compile cache of the test run. */
export const compileCache: Record<string, string> =
  process.env['NODE_COMPILE_CACHE'] === undefined
    ? {}
    : { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] };

/** For copies of the project. Otherwise their compiled files stay in the project's cache after they are removed. */
const cacheOfCopies = (): Record<string, string> => ({
  NODE_COMPILE_CACHE: path.join(runFolder(), 'compile-cache'),
});

const running = new Set<ServiceProcess>();

/** A process of the service, from its start to its end. */
export class ServiceProcess {
  readonly dataDir: string;
  readonly port: number;
  readonly ended: Promise<ProcessEnd>;
  /** All that it has said. */
  stdout = '';
  stderr = '';
  readonly #child: ChildProcess;

  constructor(options: Launch & { port: number }) {
    const { dataDir, port, env, identity, by = 'node', project = projectRoot } = options;
    this.dataDir = dataDir;
    this.port = port;
    const own = {
      PATH: process.env['PATH'] ?? '',
      PORT: String(port),
      LATCHKEY_DATA_DIR: dataDir,
      ...(project === projectRoot ? compileCache : cacheOfCopies()),
    };
    const [program, ...args] = commands[by](project);
    // A folder that every account can enter.
    this.#child = spawn(program, args, { env: { ...own, ...env }, cwd: '/', ...identity });
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    running.add(this);
    this.ended = once(this.#child, 'close').then(([code, signal]) => {
      running.delete(this);
      return { code, signal } as ProcessEnd;
    });
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get pid(): number {
    assert.ok(this.#child.pid, 'the process was never there');
    return this.#child.pid;
  }

  get output(): string {
    return `${this.stdout}${this.stderr}`;
  }

  get hasEnded(): boolean {
    return !running.has(this);
  }

  /** The JSON lines of the log, without messages for people. */
  log(): LogLine[] {
    const lines = this.stdout.split('\n').filter((line) => line.startsWith('{'));
    return lines.map((line) => JSON.parse(line) as LogLine);
  }

  /** The response of `/readyz`; undefined: connection refused. */
  async readiness(): Promise<number | undefined> {
    // Something else may listen at its port, and say nothing.
    const request = { method: 'GET', headers: {}, silentAtMostMs: 10_000 };
    const response = await send(`${this.origin}/readyz`, request).catch(() => undefined);
    return response?.status;
  }

  /** Waits until it serves. */
  async ready(): Promise<this> {
    await eventually(async () => {
      assert.ok(!this.hasEnded, `ended before it was ready:\n${this.output}`);
      return (await this.readiness()) === 200;
    }, 60_000);
    return this;
  }

  /** Waits until it has said something. */
  async says(text: string | RegExp): Promise<void> {
    await eventually(async () => {
      const isSaid = typeof text === 'string' ? this.output.includes(text) : text.test(this.output);
      assert.ok(isSaid || !this.hasEnded, `ended without saying ${text}:\n${this.output}`);
      return isSaid;
    }, 60_000);
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Tells it to stop, and waits until it has. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<ProcessEnd> {
    this.kill(signal);
    return this.ended;
  }
}

/** Starts the service; it may not serve yet, or ever. */
export async function launch(options: Launch): Promise<ServiceProcess> {
  return new ServiceProcess({ ...options, port: options.port ?? (await freePort()) });
}

/** Starts the service and waits until it serves. */
export async function serve(options: Launch): Promise<ServiceProcess> {
  return (await launch(options)).ready();
}

/** Ends every process that a test has left running. */
export async function endAll(): Promise<void> {
  const left = [...running];
  for (const service of left) service.kill('SIGKILL');
  await Promise.all(left.map(({ ended }) => ended));
}

/** For the environment of a process: the database of a test, instead of an embedded one. */
export function onDatabase({
  connection,
}: Pick<TestDatabase, 'connection'>): Record<string, string> {
  const { host, port, user, database } = connection as Record<string, string | number>;
  const url = new URLSearchParams({ host: String(host), port: String(port), user: String(user) });
  return {
    DATABASE_URL: `postgres:///${database}?${url}`,
    LATCHKEY_MASTER_KEY: testMasterKey.toString('base64'),
  };
}
