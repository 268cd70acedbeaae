import type { FastifyInstance } from 'fastify';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  createAccessTokens,
  createApplicationRegistry,
  createQuotas,
  createTokenExchange,
  openSigningKeys,
  type SigningKeys,
} from './access/index.ts';
import { buildApp } from './app.ts';
import { openCatalog, type Catalog } from './catalog/index.ts';
import type { Certificate } from './certificate.ts';
import { isLoopbackSimulation, type Config } from './config.ts';
import { startDatabaseClock, type DatabaseClock } from './db/clock.ts';
import type { Database } from './db/database.ts';
import { startDeliverer, type Deliverer } from './events/index.ts';
import { readConsole } from './http/console.ts';
import { closeGracefully } from './http/listening.ts';
import { createRecentBookings, type House } from './operations/index.ts';
import { startRequestRecorder, type PortalHouse } from './portal/index.ts';
import { createSimulatedPayment } from './payment/index.ts';
import { startWorker, type Worker, type WorkerLog } from './resolution/index.ts';
import { seedSimulation } from './simulation/index.ts';
import { createLiveReads, createSimulatedSupply, type Supply } from './supply/index.ts';

/** A running service, apart from its database and its sockets. */
export interface Service {
  app: FastifyInstance;
  /** From now on `/readyz` says no. */
  beginStop(): void;
  /** Finishes what is in flight. */
  stop(): Promise<void>;
}

/** What the service needs beside its configuration. */
export interface ServiceParts {
  config: Config;
  /** Absent: plain HTTP. */
  certificate?: Certificate | null;
  database: Database;
  /** Absent: the simulation. */
  supply?: Supply;
  logger: false | object;
  log: WorkerLog;
  /** What quotas flow back by; absent: the time since the process began. */
  elapsedMs?: () => number;
}

const pollAfterSeconds = { simulation: 1, test: 2, live: 2 } as const;
const liveReadsAtOnce = 32;
const projectFile = (name: string): URL => new URL(`../${name}`, import.meta.url);
const noWorker: Worker & Deliverer = {
  leaseSeconds: () => null,
  takeUp: () => undefined,
  wake: () => undefined,
  stop: () => Promise.resolve(),
};

/** Runs a chore again and again, one run after the other; a failure waits for the next round. */
function repeat(everyMs: number, log: WorkerLog, chore: string, work: () => Promise<unknown>) {
  const ending = new AbortController();
  const { signal } = ending;
  const rest = () => sleep(everyMs, undefined, { signal }).catch(() => undefined);
  async function rounds(): Promise<void> {
    for (await rest(); !signal.aborted; await rest()) {
      await work().catch((error: unknown) =>
        log.warn({ err: error, chore }, 'chore failed; it is tried again'),
      );
    }
  }
  const running = rounds();
  return async (): Promise<void> => {
    ending.abort();
    await running;
  };
}

function follow(
  log: WorkerLog,
  catalog: Catalog,
  clock: DatabaseClock,
  keys: SigningKeys,
): () => Promise<void> {
  const ends = [
    repeat(1_000, log, 'follow the catalog', () => catalog.follow()),
    repeat(10_000, log, 'adjust the clock', () => clock.adjust()),
    repeat(30_000, log, 'follow the signing keys', () => keys.refresh()),
  ];
  return async () => {
    await Promise.all(ends.map((end) => end()));
  };
}

/** What is served as it lies in the project. */
async function readServed() {
  return {
    documents: {
      openApiBytes: await readFile(projectFile('openapi.json')),
      portalOpenApiBytes: await readFile(projectFile('portal-openapi.json')),
    },
    consoleFiles: await readConsole(fileURLToPath(projectFile('console/dist'))),
  };
}

/** Builds everything in its order and starts the roles of this process. */
export async function startService(parts: ServiceParts): Promise<Service> {
  const { config, database, log } = parts;
  const { environment, baseUrl } = config;
  // Before anything works: what is missing ends the start, and nothing has to be stopped.
  const served = await readServed();
  await seedSimulation(database);
  const catalog = await openCatalog(database, environment, baseUrl);
  const clock = await startDatabaseClock(database);
  const keys = await openSigningKeys(database);
  const supply = parts.supply ?? createSimulatedSupply(database);
  const payment = createSimulatedPayment(database.vault);
  const tokens = createAccessTokens(keys, baseUrl, clock.now);
  const registry = createApplicationRegistry(database);
  const access = { tokens, registry, quotas: createQuotas(parts.elapsedMs) };
  const works = config.roles.includes('worker');
  const rules = { loopbackAllowed: isLoopbackSimulation(config) };
  const deliverer = works ? startDeliverer({ executor: database, log, rules }) : noWorker;
  const wakeDeliverer: House['wakeDeliverer'] = (applicationId) => deliverer.wake(applicationId);
  const booking = { executor: database, catalog, supply, payment, log, onEvents: wakeDeliverer };
  const worker = works ? startWorker(booking) : noWorker;
  const house: House = {
    executor: database,
    catalog,
    supply,
    payment,
    liveReads: createLiveReads(liveReadsAtOnce),
    recent: createRecentBookings(),
    now: clock.now,
    environment,
    pollAfterSeconds: pollAfterSeconds[environment],
    worker,
    wakeDeliverer,
  };
  const portal: PortalHouse = {
    database,
    environment,
    baseUrl,
    ...rules,
    // Whatever was changed of an endpoint counts at once.
    wakeDeliverer: () => deliverer.wake(),
  };
  const recorder = startRequestRecorder({ executor: database, log });
  let stopping = false;
  const app = await buildApp({
    house,
    access,
    exchange: createTokenExchange({ executor: database, registry, tokens, environment, baseUrl }),
    keys,
    ...served,
    portal,
    recorder,
    server: {
      tls: parts.certificate ?? null,
      trustedProxy: config.trustedProxy,
      logger: parts.logger,
    },
    readyCheck: () => clock.adjust(),
    isStopping: () => stopping,
  });
  const endFollowing = follow(log, catalog, clock, keys);
  return {
    app,
    beginStop() {
      stopping = true;
    },
    async stop() {
      stopping = true;
      await Promise.all([closeGracefully(app), worker.stop(), deliverer.stop(), endFollowing()]);
      // The last calls are answered by now.
      await recorder.stop();
    },
  };
}
