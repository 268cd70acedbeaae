/** An HAProxy with the configuration of `deploy`, before two api processes. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { findInstalled, skippedWithout } from './installed.ts';
import { freePort, projectRoot } from './service-process.ts';

/** The program; undefined: it is not installed. */
export const haproxy = findInstalled('haproxy');

/** Why tests that need HAProxy are skipped; false: they run. */
export const noHaproxy = skippedWithout('haproxy', haproxy);

/** The configuration. */
export const haproxyFile = path.join(projectRoot, 'deploy/haproxy.cfg');

/** The environment that the configuration needs. */
export const haproxyEnv = (port: number, apiPorts: readonly [number, number]) => ({
  PATH: process.env['PATH'] ?? '',
  LATCHKEY_BIND: `127.0.0.1:${port}`,
  LATCHKEY_API_1: `127.0.0.1:${apiPorts[0]}`,
  LATCHKEY_API_2: `127.0.0.1:${apiPorts[1]}`,
});

/** A running balancer. */
export class Balancer {
  readonly port: number;
  readonly #child: ChildProcess;

  private constructor(port: number, child: ChildProcess) {
    this.port = port;
    this.#child = child;
  }

  /** Starts it; the processes may start later. */
  static async start(apiPorts: readonly [number, number]): Promise<Balancer> {
    if (!haproxy) throw new Error('haproxy is not installed');
    const port = await freePort();
    const env = haproxyEnv(port, apiPorts);
    return new Balancer(port, spawn(haproxy, ['-f', haproxyFile], { env, stdio: 'ignore' }));
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }
}
