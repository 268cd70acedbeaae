import type { AddressInfo } from 'node:net';
import { openBuckets, type OpenBuckets } from '../../src/access/index.ts';
import { readConfig } from '../../src/config/config.ts';
import { type Catalog, openCatalog } from '../../src/catalog/index.ts';
import { defaultQuotas } from '../../src/contract/limits.ts';
import type { Database } from '../../src/platform/postgres/database.ts';
import { openAvailability } from '../../src/program/availability.ts';
import type { ServiceContext } from '../../src/program/service-dependencies.ts';
import { startService, type Service } from '../../src/program/service.ts';
import { createSimulatedSupply } from '../../src/simulation/supplier.ts';
import type { Availability } from '../../src/inventory/index.ts';
import { createInventorySupply } from '../../src/bookings/ports/inventory-supply.ts';
import type { Supply } from '../../src/bookings/ports/supply.ts';
import { testBaseUrl } from './base-url.ts';
import type { Partner } from './partner.ts';
import { watchTransitions } from './listed-transitions.ts';
import { createTestDatabase } from './postgres.ts';
import { registerPartner, type TestApplication } from './registration.ts';

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** A service on its own database, called over HTTP. */
export interface TestService {
  /** The URL of the socket. */
  origin: string;
  database: Database;
  service: Service;
  /** All of them: more than one of a pair. */
  services: readonly Service[];
  /** The service's own. */
  catalog: Catalog;
  /** Reads what has changed in the database behind the service's back, so that its next response has it. */
  follow(): Promise<void>;
  /** Registers an application and returns a partner that calls for it. Quotas are ample unless named. */
  partner(application?: TestApplication): Promise<Partner>;
  stop(): Promise<void>;
}

const supplyOf = {
  simulation: createSimulatedSupply,
  test: createInventorySupply,
  live: createInventorySupply,
};

/** Quotas as a new application gets them. */
export const standardQuotas = defaultQuotas;

/** Replacements for dependencies of the service. */
export interface TestReplacements {
  /** Wraps the supply of the environment. */
  changeSupply?: (supply: Supply, database: Database) => Supply;
  /** Wraps the free nights of the environment. */
  changeAvailability?: (availability: Availability) => Availability;
  /** Changes the new database before the service starts. */
  prepare?: (database: Database) => Promise<void>;
  /** Wraps the service's database. */
  changeDatabase?: (database: Database) => Database;
  /** The clock of the quotas. */
  elapsedMs?: NonNullable<ServiceContext['elapsedMs']>;
  /** The buckets of the quotas. */
  buckets?: OpenBuckets;
  /** The port; absent: any that is free. */
  port?: number;
}

/** The environment `test`: the service sells the homes of the catalog as the operator's own. */
export const ownHomes = { LATCHKEY_ENVIRONMENT: 'test' };

async function startOn(
  database: Database,
  env: NodeJS.ProcessEnv,
  {
    port: wanted = 0,
    changeSupply = (supply) => supply,
    changeAvailability = (availability) => availability,
    changeDatabase = (real) => real,
    prepare: _,
    ...quotas
  }: TestReplacements,
): Promise<TestService> {
  const config = readConfig({ BASE_URL: testBaseUrl, ...env });
  const supply = changeSupply(supplyOf[config.environment](database), database);
  const { environment, baseUrl } = config;
  const transitions = watchTransitions(database);
  const changed = changeDatabase(transitions.database);
  const catalog = await openCatalog(changed, { environment, baseUrl });
  const availability = await openAvailability(environment, changed, catalog);
  const service = await startService({
    config,
    catalog,
    database: changed,
    supply,
    availability: changeAvailability(availability),
    logger: false,
    log: silent,
    ...quotas,
  });
  await service.app.listen({ host: '127.0.0.1', port: wanted });
  const { port } = service.app.server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;

  return {
    origin,
    database,
    service,
    services: [service],
    catalog,
    async follow() {
      await catalog.follow();
      await availability.follow();
    },
    partner: (application) => registerPartner(database, origin, application, environment),
    async stop() {
      await service.stop();
      transitions.check();
    },
  };
}

/** A service that can be started again at the same address. */
export interface RestartableService extends TestService {
  /** Stops the service, does something in the meantime, and starts it again. */
  restart(meanwhile: () => Promise<void>, changed?: NodeJS.ProcessEnv): Promise<void>;
}

/** Starts the service with all its roles; `env` as the environment would have it. */
export async function startTestService(
  env: NodeJS.ProcessEnv = {},
  replacements: TestReplacements = {},
): Promise<RestartableService> {
  const { database, drop } = await createTestDatabase();
  await replacements.prepare?.(database);
  let running = await startOn(database, env, replacements);
  const port = Number(new URL(running.origin).port);
  return {
    ...running,
    async restart(meanwhile, changed = {}) {
      await running.stop();
      await meanwhile();
      running = await startOn(database, { ...env, ...changed }, { ...replacements, port });
    },
    async stop() {
      await running.stop();
      await drop();
    },
  };
}

/** Buckets that several services share, as those of Redis are, with the clock of a test. */
function commonBuckets({ elapsedMs }: TestReplacements): OpenBuckets {
  const alone = { redis: null, prefix: '', processes: () => 1, log: silent, elapsedMs };
  const { make, areShared } = openBuckets(alone);
  const made = new Map<string, ReturnType<typeof make>>();
  return { areShared, make: (set) => made.getOrInsertComputed(set, make) };
}

/** Starts two services on one database, with common quotas. They get the calls of each partner alternately. */
export async function startTestPair(
  env: NodeJS.ProcessEnv = {},
  replacements: TestReplacements = {},
): Promise<TestService> {
  const { database, drop } = await createTestDatabase();
  const common = { ...replacements, buckets: commonBuckets(replacements) };
  // A process is known by its address: with that of another one, it takes the place of the other.
  const second = { PORT: '8081', ...env };
  const both = [await startOn(database, env, common), await startOn(database, second, common)];
  let calls = 0;
  const next = (): string => both[(calls += 1) % both.length]!.origin;
  const { environment } = readConfig(env);
  return {
    ...both[0]!,
    services: both.map(({ service }) => service),
    partner: (application) => registerPartner(database, next, application, environment),
    async follow() {
      for (const one of both) await one.follow();
    },
    async stop() {
      for (const one of both) await one.stop();
      await drop();
    },
  };
}
