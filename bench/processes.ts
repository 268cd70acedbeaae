import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FloorTask } from './floor-server.ts';
import type { Load } from './load-process.ts';

const root = path.join(import.meta.dirname, '..');

/** A child process that listens on a port. */
export interface ServerProcess {
  port: number;
  pid: number;
  stop(): Promise<void>;
}

async function stopProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill(signal);
  await exit;
}

/** Starts a floor. */
export async function startFloor(task: FloorTask): Promise<ServerProcess> {
  const child = fork(path.join(root, 'bench/floor-server.ts'));
  child.send(task);
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return { port, pid: child.pid!, stop: () => stopProcess(child, 'SIGKILL') };
}

/** A process that only loads servers. */
export interface LoadProcess {
  /** Runs one of its tasks. */
  run(...load: Load): Promise<number>;
  stop(): Promise<void>;
}

/** Starts a process that loads servers. */
export function startLoadProcess(): LoadProcess {
  const child = fork(path.join(root, 'bench/load-process.ts'));
  const ended = once(child, 'exit').then(() => null);
  return {
    async run(...load) {
      child.send(load);
      const outcome = (await Promise.race([once(child, 'message'), ended])) as [number] | null;
      if (!outcome) throw new Error('the load failed');
      return outcome[0];
    },
    stop: () => stopProcess(child, 'SIGKILL'),
  };
}

/** A webhook receiver. */
export interface ReceiverProcess extends ServerProcess {
  /** Starts to watch; `arrival` is the time of the next request in `process.hrtime` nanoseconds. */
  watch(): Promise<{ arrival: Promise<bigint> }>;
}

/** Starts a webhook receiver. */
export async function startReceiver(): Promise<ReceiverProcess> {
  const child = fork(path.join(root, 'bench/webhook-receiver.ts'));
  const next = async (): Promise<Record<string, unknown>> => {
    const [message] = (await once(child, 'message')) as [Record<string, unknown>];
    return message;
  };
  const { port } = await next();
  return {
    port: Number(port),
    pid: child.pid!,
    async watch() {
      child.send('watch');
      await next();
      return { arrival: next().then(({ arrivedNs }) => BigInt(String(arrivedNs))) };
    },
    stop: () => stopProcess(child, 'SIGKILL'),
  };
}

/** Starts the stand-in of the card provider. */
export async function startCardProvider(): Promise<ServerProcess> {
  const child = fork(path.join(root, 'bench/card-provider.ts'));
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return { port, pid: child.pid!, stop: () => stopProcess(child, 'SIGKILL') };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function isReady(port: number): Promise<boolean> {
  const response = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
  await response?.arrayBuffer();
  return response?.status === 200;
}

/** The log of a service that this has started: warnings and errors. */
export const serviceLogOf = (dataDir: string): string => path.join(dataDir, 'service.log');

/** Starts the service on this data folder and waits until it is ready. */
export async function startService(
  dataDir: string,
  more: Record<string, string> = {},
): Promise<ServerProcess> {
  const port = await freePort();
  const child = spawn(process.execPath, ['src/main.ts'], {
    cwd: root,
    env: {
      ...process.env,
      PORT: String(port),
      LATCHKEY_DATA_DIR: dataDir,
      LATCHKEY_LOG_LEVEL: 'warn',
      ...more,
    },
    stdio: ['ignore', openSync(serviceLogOf(dataDir), 'a'), 'inherit'],
  });
  while (!(await isReady(port))) {
    if (child.exitCode !== null) throw new Error('the service did not start');
    await sleep(10);
  }
  return { port, pid: child.pid!, stop: () => stopProcess(child, 'SIGTERM') };
}

/** Resident memory of a process in MiB. Linux only. */
export async function residentMiB(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}
