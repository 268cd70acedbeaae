/** A PostgreSQL of a fault test, which can be killed and started again. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '../../src/platform/embedded-postgres/index.ts';
import { eventually } from './eventually.ts';

/** The PID of the PostgreSQL of a data folder. */
export async function postmasterIn(dataDir: string): Promise<number> {
  const text = await readFile(path.join(dataDir, 'postgres/postmaster.pid'), 'utf8');
  return Number.parseInt(text, 10);
}

function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Ends a server that still runs after its service has ended. */
export async function endLeftover(dataDir: string): Promise<void> {
  const pid = await postmasterIn(dataDir).catch(() => Number.NaN);
  if (!(pid > 0) || !runs(pid)) return;
  process.kill(pid, 'SIGQUIT');
  await eventually(async () => !runs(pid), 10_000);
}

/** A server on its own data folder. */
export class PostgresServer {
  readonly dataDir: string;
  #running: EmbeddedPostgres;
  #ended: Promise<void>;

  private constructor(dataDir: string, running: EmbeddedPostgres) {
    this.dataDir = dataDir;
    this.#running = running;
    this.#ended = PostgresServer.#endOf(running);
  }

  static #endOf(running: EmbeddedPostgres): Promise<void> {
    return new Promise((resolve) => running.onExit(() => resolve()));
  }

  static async start(dataDir: string): Promise<PostgresServer> {
    const running = await startEmbeddedPostgres({ dataDir, log: () => undefined });
    return new PostgresServer(dataDir, running);
  }

  get connection(): EmbeddedPostgres['connection'] {
    return this.#running.connection;
  }

  /** The file of its Unix socket. */
  get socket(): string {
    const { host, port } = this.connection;
    return path.join(host, `.s.PGSQL.${port}`);
  }

  /** Kills it with -9. */
  async kill(): Promise<void> {
    process.kill(await postmasterIn(this.dataDir), 'SIGKILL');
    await this.#ended;
  }

  /** Stops all its processes where they are, as a machine that hangs does: nothing answers, and nothing is lost. */
  async hang(): Promise<void> {
    await this.#signal('SIGSTOP');
  }

  /** Lets it go on. */
  async goOn(): Promise<void> {
    await this.#signal('SIGCONT');
  }

  async #signal(signal: NodeJS.Signals): Promise<void> {
    const postmaster = await postmasterIn(this.dataDir);
    // The postmaster first: it starts no further process.
    const children = `/proc/${postmaster}/task/${postmaster}/children`;
    process.kill(postmaster, signal);
    const pids = (await readFile(children, 'utf8')).trim().split(' ').filter(Boolean).map(Number);
    for (const pid of pids) if (runs(pid)) process.kill(pid, signal);
  }

  /** Resolves when it has ended without `stop`. */
  get ended(): Promise<void> {
    return this.#ended;
  }

  /** Starts it again on the same files. */
  async restart(): Promise<void> {
    this.#running = await startEmbeddedPostgres({ dataDir: this.dataDir, log: () => undefined });
    this.#ended = PostgresServer.#endOf(this.#running);
  }

  async stop(): Promise<void> {
    await this.#running.stop();
  }
}
