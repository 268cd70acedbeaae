/** Several processes behind HAProxy, on one PostgreSQL and one Redis. */
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { ServiceRunner } from '../faults/service-runner.ts';
import { newFolder } from '../faults/new-folder.ts';
import { Balancer } from '../harness/haproxy.ts';
import { TestRedis } from '../harness/redis.ts';
import { freePort } from '../harness/free-port.ts';

/** The processes of a fleet and their roles. Exactly two have the role `api`. */
export type Roles = Readonly<Record<string, 'api' | 'worker' | 'api,worker'>>;

/** As in production. */
export const four = { api1: 'api', api2: 'api', worker1: 'worker', worker2: 'worker' } as const;

/** For short tests: fewer processes. */
export const two = { one: 'api,worker', other: 'api,worker' } as const;

/** A running fleet. */
export interface Fleet<Name extends string = string> {
  /** The address of the balancer. */
  origin: string;
  balancer: Balancer;
  /** Shares the quotas. */
  redis: TestRedis;
  members: Readonly<Record<Name, ServiceRunner>>;
  /** The data folder of a process. */
  folderOf(name: Name): string;
  close(): Promise<void>;
}

interface FleetOptions<R extends Roles> {
  roles: R;
  /** The settings of a process: at least database and master key. */
  envOf(name: keyof R & string): Record<string, string>;
  /** The folder of another version; absent: this one. */
  project?: string;
}

interface Member {
  roles: string;
  dataDir: string;
  /** Serves readiness: the port of the API, or that of the metrics of a worker, which has no other. */
  port: number;
  env: Record<string, string>;
}

async function runnerOf({ roles, dataDir, port, env }: Member): Promise<ServiceRunner> {
  const ofWorker = { PORT: String(await freePort()), LATCHKEY_METRICS_PORT: String(port) };
  return new ServiceRunner({
    dataDir,
    port,
    env: { ...env, LATCHKEY_ROLES: roles, ...(roles === 'worker' && ofWorker) },
  });
}

/** Starts a fleet. */
export async function openFleet<const R extends Roles>(
  options: FleetOptions<R>,
): Promise<Fleet<keyof R & string>> {
  type Name = keyof R & string;
  const { roles, envOf, project } = options;
  const folder = await newFolder();
  const undo: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  const close = async (): Promise<void> => {
    for (const step of undo.toReversed()) await step();
  };
  const folderOf = (name: Name): string => path.join(folder, name);
  try {
    const redis = await TestRedis.start();
    undo.push(() => redis.stop());
    const apiPorts = [await freePort(), await freePort()] as const;
    const balancer = await Balancer.start(apiPorts);
    undo.push(() => balancer.stop());
    const { origin } = balancer;
    const shared = {
      REDIS_URL: redis.url,
      BASE_URL: origin,
      LATCHKEY_TRUSTED_PROXY: '127.0.0.1',
      LATCHKEY_LOG_LEVEL: 'warn',
    };
    const ports = [...apiPorts];
    const members = {} as Record<Name, ServiceRunner>;
    for (const name of Object.keys(roles) as Name[]) {
      const port = roles[name] === 'worker' ? await freePort() : ports.shift()!;
      const env = { ...shared, ...envOf(name) };
      const runner = await runnerOf({ roles: roles[name]!, dataDir: folderOf(name), port, env });
      runner.use(project);
      members[name] = runner;
      undo.push(() => runner.end());
    }
    await Promise.all(Object.values<ServiceRunner>(members).map((one) => one.start()));
    await balancer.bothServe();
    return { origin, balancer, redis, members, folderOf, close };
  } catch (error) {
    await close();
    throw error;
  }
}
