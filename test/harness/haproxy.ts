/** An HAProxy with the configuration of `deploy`, before two api processes. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { eventually } from './eventually.ts';
import { findInstalled, skippedWithout } from './installed.ts';
import { freePort } from './free-port.ts';
import { projectRoot } from './service-process.ts';

/** The program; undefined: it is not installed. */
export const haproxy = findInstalled('haproxy');

/** Why tests that need HAProxy are skipped; false: they run. */
export const noHaproxy = skippedWithout('haproxy', haproxy);

/** The configuration. */
export const haproxyFile = path.join(projectRoot, 'deploy/haproxy.cfg');

/** The environment that the configuration needs. */
export const haproxyEnv = (
  { port, metricsPort }: { port: number; metricsPort: number },
  apiPorts: readonly [number, number],
) => ({
  PATH: process.env['PATH'] ?? '',
  LATCHKEY_BIND: `127.0.0.1:${port}`,
  LATCHKEY_BALANCER_METRICS: `127.0.0.1:${metricsPort}`,
  LATCHKEY_API_1: `127.0.0.1:${apiPorts[0]}`,
  LATCHKEY_API_2: `127.0.0.1:${apiPorts[1]}`,
});

/** A running balancer. */
export class Balancer {
  readonly #ports: { port: number; metricsPort: number };
  readonly #child: ChildProcess;

  private constructor(ports: { port: number; metricsPort: number }, child: ChildProcess) {
    this.#ports = ports;
    this.#child = child;
  }

  /** Starts it; the processes may start later. */
  static async start(apiPorts: readonly [number, number]): Promise<Balancer> {
    if (!haproxy) throw new Error('haproxy is not installed');
    const ports = { port: await freePort(), metricsPort: await freePort() };
    const env = haproxyEnv(ports, apiPorts);
    return new Balancer(ports, spawn(haproxy, ['-f', haproxyFile], { env, stdio: 'ignore' }));
  }

  get origin(): string {
    return `http://127.0.0.1:${this.#ports.port}`;
  }

  /** How many of the processes get calls. */
  async serving(): Promise<number> {
    const response = await fetch(`http://127.0.0.1:${this.#ports.metricsPort}/metrics`);
    return [
      ...(await response.text()).matchAll(
        /^haproxy_server_status\{proxy="api",.*state="UP"\} 1$/gm,
      ),
    ].length;
  }

  /** Waits until both do. */
  bothServe(): Promise<void> {
    return eventually(async () => (await this.serving().catch(() => 0)) === 2, 30_000);
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }
}
