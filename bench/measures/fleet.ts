/** Several processes on one database: what a second one adds, quotas in Redis, and how soon it knows a taken night. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { readMasterKeys } from '../../src/installation/master-key.ts';
import { postmasterIn } from '../../test/harness/postgres-server.ts';
import { TestRedis } from '../../test/harness/redis.ts';
import { type BenchSystem, startBenchSystem } from '../bench-system.ts';
import { BookingClient } from '../booking.ts';
import { cpuMicrosPer } from '../cpu.ts';
import { RawConnection, requestBytes } from '../http-client.ts';
import { importInventory, type Inventory } from '../inventory.ts';
import { perSecond, requestsPerSecond } from '../load.ts';
import type { Measure } from '../measure.ts';
import { type ServerProcess, startService } from '../processes.ts';

const cores = 2;
const inFlight = 8;
const secondsPerRound = 4;
const warmUpSeconds = 2;
const ownHomes = { LATCHKEY_ENVIRONMENT: 'test' };

interface SecondProcess extends ServerProcess {
  close(): Promise<void>;
}

/** Starts another process on the database of a system. */
export async function startBeside(
  { connection, dataDir, service: first }: BenchSystem,
  more: Record<string, string>,
): Promise<SecondProcess> {
  const { host = '', port = 0, user = '', database = '' } = connection as pg.ClientConfig;
  const folder = await mkdtemp(path.join(tmpdir(), 'latchkey-bench-'));
  const parameters = new URLSearchParams({ host, port: String(port), user });
  const service = await startService(folder, {
    DATABASE_URL: `postgres:///${database}?${parameters}`,
    // Tokens are for one address.
    BASE_URL: `http://localhost:${first.port}`,
    LATCHKEY_MASTER_KEY: (await readMasterKeys(dataDir))![0]!.toString('base64'),
    ...more,
  });
  return {
    ...service,
    async close() {
      await service.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface Pair {
  system: BenchSystem;
  other: SecondProcess;
  inventory: Inventory;
}

async function withPair(work: (pair: Pair) => Promise<void>): Promise<void> {
  const system = await startBenchSystem(ownHomes);
  try {
    const inventory = await importInventory(system.database, system.dataDir);
    const other = await startBeside(system, ownHomes);
    try {
      await work({ system, other, inventory });
    } finally {
      await other.close();
    }
  } finally {
    await system.close();
  }
}

interface Load {
  work(worker: number): Promise<void>;
  close(): void;
}

/** Opens a load that spreads over the ports. */
type OpenLoad = (pair: Pair, ports: readonly number[]) => Promise<Load>;

const spread = <T>(ports: readonly number[], open: (port: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: inFlight }, (_, nth) => open(ports[nth % ports.length]!)));

/** Complete bookings. */
export const bookings: OpenLoad = async ({ system, inventory }, ports) => {
  const partner = await system.partner();
  const clients = await spread(ports, (port) => BookingClient.open(port, partner));
  return {
    work: (worker) => clients[worker]!.book(inventory.next()),
    close: () => clients.forEach((client) => client.close()),
  };
};

/** Reads of a listing. */
export const listings: OpenLoad = async ({ system, inventory }, ports) => {
  const { token } = await system.partner();
  const { listingId } = inventory.next();
  const headers = { authorization: `Bearer ${token}` };
  const request = requestBytes('GET', `/v1/listings/${listingId}`, headers);
  const connections = await spread(ports, RawConnection.open);
  return {
    async work(worker) {
      const { status } = await connections[worker]!.send(request);
      if (status !== 200) throw new Error(`the response is ${status}`);
    },
    close: () => connections.forEach((connection) => connection.close()),
  };
};

/**
 * How many calls a second two cores serve, by the CPU time of the services and of PostgreSQL: a process uses one
 * core at most. The CPU time of the load generator is not part of it.
 */
const rateOnTwoCores = (services: number, serviceMicros: number, databaseMicros: number): number =>
  1e6 / Math.max(serviceMicros / services, (serviceMicros + databaseMicros) / cores);

/** Two processes against one. */
export const measurePair =
  (open: OpenLoad): Measure['run'] =>
  (rounds, onRound) =>
    withPair(async (pair) => {
      const { system, other } = pair;
      const postmaster = await postmasterIn(system.dataDir);
      const rateOf = async (services: readonly ServerProcess[]): Promise<number> => {
        const load = await open(
          pair,
          services.map(({ port }) => port),
        );
        try {
          await perSecond(inFlight, warmUpSeconds, load.work);
          let units = 0;
          let inDatabase = 0;
          const run = async () =>
            (units = (await perSecond(inFlight, secondsPerRound, load.work)) * secondsPerRound);
          // Those of a process that gets no calls, too.
          const pids = [system.service.pid, other.pid];
          const inServices = await cpuMicrosPer(pids, async () => {
            inDatabase = await cpuMicrosPer([postmaster], run);
            return units;
          });
          return rateOnTwoCores(services.length, inServices, inDatabase);
        } finally {
          load.close();
        }
      };
      for (let round = 0; round < rounds; round += 1) {
        onRound({
          floor: await rateOf([system.service]),
          figure: await rateOf([system.service, other]),
        });
      }
    });

/** The cheapest call with its quota in Redis; the floor has it in the process. */
export const measureRedisQuota: Measure['run'] = async (rounds, onRound) => {
  const redis = await TestRedis.start();
  const system = await startBenchSystem();
  const shared = await startBeside(system, { REDIS_URL: redis.url });
  try {
    const { token } = await system.partner();
    const request = requestBytes('GET', '/v1/site', { authorization: `Bearer ${token}` });
    const rateOf = (port: number, seconds: number): Promise<number> =>
      requestsPerSecond(port, request, inFlight, seconds);
    for (const { port } of [system.service, shared]) await rateOf(port, warmUpSeconds);
    for (let round = 0; round < rounds; round += 1) {
      onRound({
        floor: await rateOf(system.service.port, secondsPerRound),
        figure: await rateOf(shared.port, secondsPerRound),
      });
    }
  } finally {
    await shared.close();
    await system.close();
    await redis.stop();
  }
};

const followers = 4;
const samplesPerRound = 400;
const followEveryMs = 250;
const firstNight = 10;

const p99 = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)]!;

/** Blocks a night. Returns when that was committed. */
async function block({ system }: Pair, listingId: string, night: number): Promise<number> {
  await system.database.query(
    {
      name: 'bench-block',
      text: `INSERT INTO occupancies (listing_id, nights, kind, source) VALUES ($1,
        daterange(current_date + $2::integer, current_date + $2::integer + 1), 'block', 'staff')`,
    },
    [listingId, night],
  );
  return performance.now();
}

const dayMs = 86_400_000;
const dayFrom = (days: number): string =>
  new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);

/** Whether a taken night is known, asked by one of the workers. */
type Knows = (worker: number, listingId: string, night: number) => Promise<boolean>;

/** The 99th percentile of the time from the commit of a taken night until it is known. */
async function lagOf(pair: Pair, knows: Knows): Promise<number> {
  const times: number[] = [];
  const workers = Array.from({ length: followers }, async (_, worker) => {
    const { listingId } = pair.inventory.next();
    for (let night = firstNight; times.length < samplesPerRound; night += 1) {
      // So that commits are not synchronized with the polling interval.
      await sleep(Math.random() * followEveryMs);
      const committed = await block(pair, listingId, night);
      while (!(await knows(worker, listingId, night))) await sleep(1);
      times.push(performance.now() - committed);
    }
  });
  await Promise.all(workers);
  return p99(times);
}

/** How late another process shows a taken night; the floor asks the log of changes as often, and does nothing else. */
export const measureFollowing: Measure['run'] = (rounds, onRound) =>
  withPair(async (pair) => {
    const { system, other } = pair;
    const { token } = await system.partner();
    const headers = { authorization: `Bearer ${token}` };
    let connections: RawConnection[] = [];
    const close = (): void => connections.forEach((connection) => connection.close());
    let known = new Set<string>();
    const asked = setInterval(() => {
      void system.database
        .query<{ key: string }>({
          name: 'bench-known',
          text: `SELECT listing_id || ' ' || (lower(nights) - current_date) AS key FROM occupancies
            WHERE kind = 'block'`,
        })
        .then((rows) => (known = new Set(rows.map(({ key }) => key))));
    }, followEveryMs);
    const inLog: Knows = async (_worker, listingId, night) => known.has(`${listingId} ${night}`);
    const inCalendar: Knows = async (worker, listingId, night) => {
      const range = `startDate=${dayFrom(night)}&endDate=${dayFrom(night)}`;
      const target = `/v1/listings/${listingId}/calendar?${range}`;
      const { status, body } = await connections[worker]!.send(
        requestBytes('GET', target, headers),
      );
      if (status !== 200) throw new Error(`the response is ${status}`);
      return body.includes('"available":false');
    };
    try {
      for (let round = 0; round < rounds; round += 1) {
        const floor = await lagOf(pair, inLog);
        // The service closes connections that are idle for that time.
        close();
        connections = await spread([other.port], RawConnection.open);
        onRound({ floor, figure: await lagOf(pair, inCalendar) });
      }
    } finally {
      clearInterval(asked);
      close();
    }
  });
