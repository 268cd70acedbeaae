/** A Redis server of a test's own. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { eventually } from './eventually.ts';
import { findInstalled, skippedWithout } from './installed.ts';
import { freePort } from './free-port.ts';
import { connect } from 'node:net';

const found = findInstalled('redis-server', 'valkey-server');

/** Why tests that need Redis are skipped; false: they run. */
export const noRedis = skippedWithout('redis-server', found);

/** A running server, which a test stops, pauses and starts again on the same port. */
export class TestRedis {
  readonly port: number;
  #child: ChildProcess | null = null;

  private constructor(port: number) {
    this.port = port;
  }

  static async start(): Promise<TestRedis> {
    const redis = new TestRedis(await freePort());
    await redis.start();
    return redis;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    if (!found) throw new Error('redis-server is not installed');
    const settings = ['--port', String(this.port), '--save', '', '--appendonly', 'no'];
    this.#child = spawn(found, [...settings, '--bind', '127.0.0.1'], { stdio: 'ignore' });
    await eventually(async () => {
      const socket = connect(this.port, '127.0.0.1');
      const result = await Promise.race([
        once(socket, 'connect').then(() => true),
        once(socket, 'error').then(() => false),
      ]).catch(() => false);
      socket.destroy();
      return result;
    });
  }

  pause(): void {
    this.#child?.kill('SIGSTOP');
  }

  resume(): void {
    this.#child?.kill('SIGCONT');
  }

  async stop(): Promise<void> {
    if (!this.#child || this.#child.exitCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
    this.#child = null;
  }
}
