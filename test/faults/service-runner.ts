/** The service as a process that is killed and started again on the same port. */
import { launch, type ProcessEnd, type ServiceProcess } from '../harness/service-process.ts';

/** The settings of every start. */
export interface Runs {
  dataDir: string;
  port: number;
  env: Record<string, string>;
  /** The project folder; this one by default. */
  project?: string;
}

/** Services that run one after the other on the same port and data. */
export class ServiceRunner {
  #runs: Runs;
  #current: ServiceProcess | null = null;

  constructor(runs: Runs) {
    this.#runs = runs;
  }

  /** Later starts are of the version in this folder; absent: of this one. */
  use(project?: string): void {
    const { project: _, ...runs } = this.#runs;
    this.#runs = { ...runs, ...(project !== undefined && { project }) };
  }

  get origin(): string {
    return `http://127.0.0.1:${this.#runs.port}`;
  }

  get process(): ServiceProcess {
    if (!this.#current) throw new Error('the service was not started');
    return this.#current;
  }

  /** Starts it without waiting until it serves. */
  async begin(env: Record<string, string> = {}): Promise<void> {
    this.#current = await launch({ ...this.#runs, env: { ...this.#runs.env, ...env } });
  }

  /** Starts it and waits until it serves. */
  async start(env: Record<string, string> = {}): Promise<void> {
    await this.begin(env);
    await this.process.ready();
  }

  /** Starts it repeatedly until it serves, because the database may not be back yet. */
  async startAnyhow(env: Record<string, string> = {}): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.start(env);
        return;
      } catch (error) {
        await this.kill();
        if (attempt === 10) throw error;
      }
    }
  }

  /** Kills it with -9 and waits until it has ended. */
  async kill(): Promise<ProcessEnd> {
    this.process.kill('SIGKILL');
    return this.process.ended;
  }

  /** Ends it in any state. */
  async end(): Promise<void> {
    if (this.#current && !this.#current.hasEnded) await this.kill();
  }
}
