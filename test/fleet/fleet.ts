/** Two api and two worker processes behind HAProxy, on one PostgreSQL and one Redis. */
import { rm } from 'node:fs/promises';
import path from 'node:path';
import {
  defaultPoolLimits,
  openDatabase,
  type Database,
} from '../../src/platform/postgres/database.ts';
import { openVault } from '../../src/platform/vault.ts';
import { PostgresServer } from '../faults/postgres-server.ts';
import { ServiceRunner } from '../faults/service-runner.ts';
import { newFolder } from '../faults/test-system.ts';
import { eventually } from '../harness/eventually.ts';
import { Balancer } from '../harness/haproxy.ts';
import { TestRedis } from '../harness/redis.ts';
import { freePort } from '../harness/service-process.ts';
import { copyUsed, usedMasterKey } from '../harness/used-folder.ts';

/** The processes by name, with their roles. */
const roles = { api1: 'api', api2: 'api', worker1: 'worker', worker2: 'worker' } as const;
export type MemberName = keyof typeof roles;

/** Every process of a fleet. */
export const memberNames = Object.keys(roles) as MemberName[];

/** A running fleet of the simulation. */
export interface Fleet {
  /** The address of the balancer. */
  origin: string;
  members: Readonly<Record<MemberName, ServiceRunner>>;
  /** A direct connection. */
  database: Database;
  /** The data folder of a process. */
  folderOf(name: MemberName): string;
  close(): Promise<void>;
}

/** Starts a fleet. `project`: the folder of another version to start. */
export async function openFleet(options: { project?: string } = {}): Promise<Fleet> {
  const folder = await newFolder();
  const undo: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  const close = async (): Promise<void> => {
    for (const step of undo.toReversed()) await step();
  };
  const folderOf = (name: MemberName): string => path.join(folder, name);
  try {
    await copyUsed('postgres', path.join(folder, 'postgres'));
    const masterKey = await usedMasterKey();
    const postgres = await PostgresServer.start(folder);
    undo.push(() => postgres.stop());
    const { host, port, user, database: name } = postgres.connection;
    const connectionString = `postgres:///${name}?${new URLSearchParams({ host, port: String(port), user })}`;
    const database = openDatabase(
      { connectionString },
      openVault(masterKey),
      defaultPoolLimits,
      () => undefined,
    );
    undo.push(() => database.close());
    const redis = await TestRedis.start();
    undo.push(() => redis.stop());
    const ports = [await freePort(), await freePort()] as const;
    const balancer = await Balancer.start(ports);
    undo.push(() => balancer.stop());

    const member = async (process: MemberName, servingPort?: number): Promise<ServiceRunner> => {
      const healthPort = servingPort ?? (await freePort());
      return new ServiceRunner({
        dataDir: folderOf(process),
        port: healthPort,
        ...(options.project !== undefined && { project: options.project }),
        env: {
          DATABASE_URL: connectionString,
          LATCHKEY_MASTER_KEY: masterKey.toString('base64'),
          LATCHKEY_ROLES: roles[process],
          REDIS_URL: redis.url,
          BASE_URL: balancer.origin,
          LATCHKEY_TRUSTED_PROXY: '127.0.0.1',
          LATCHKEY_LOG_LEVEL: 'warn',
          // A worker does not listen: its readiness is at the port of its metrics.
          ...(servingPort === undefined && {
            PORT: String(await freePort()),
            LATCHKEY_METRICS_PORT: String(healthPort),
          }),
        },
      });
    };
    const members = {
      api1: await member('api1', ports[0]),
      api2: await member('api2', ports[1]),
      worker1: await member('worker1'),
      worker2: await member('worker2'),
    };
    undo.push(() => Promise.all(Object.values(members).map((one) => one.end())));
    await Promise.all(Object.values(members).map((one) => one.start()));
    const { origin } = balancer;
    await eventually(async () => (await fetch(`${origin}/readyz`)).status === 200, 30_000);
    return { origin, members, database, folderOf, close };
  } catch (error) {
    await close();
    throw error;
  }
}
