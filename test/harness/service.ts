import type { AddressInfo } from 'node:net';
import { readConfig } from '../../src/config.ts';
import { type Catalog, openCatalog } from '../../src/catalog/index.ts';
import { defaultQuotas } from '../../src/contract/limits.ts';
import type { Database } from '../../src/platform/postgres/database.ts';
import {
  openAvailability,
  startService,
  type Service,
  type ServiceParts,
} from '../../src/service.ts';
import { createSimulatedSupply } from '../../src/simulation/supplier.ts';
import type { Availability } from '../../src/inventory/index.ts';
import { createInventorySupply } from '../../src/bookings/ports/inventory-supply.ts';
import type { Supply } from '../../src/bookings/ports/supply.ts';
import { testBaseUrl } from './base-url.ts';
import type { Partner } from './partner.ts';
import { createTestDatabase } from './postgres.ts';
import { registerPartner, type TestApplication } from './registration.ts';

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** A service on its own database, called over HTTP. */
export interface TestService {
  /** The URL of the socket. */
  origin: string;
  database: Database;
  service: Service;
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

/** Replacements for parts of the service. */
export interface TestParts {
  /** Wraps the supply of the environment. */
  changeSupply?: (supply: Supply, database: Database) => Supply;
  /** Wraps the free nights of the environment. */
  changeAvailability?: (availability: Availability) => Availability;
  /** Wraps the service's database. */
  changeDatabase?: (database: Database) => Database;
  /** The clock of the quotas. */
  elapsedMs?: NonNullable<ServiceParts['elapsedMs']>;
}

/** The environment `test`: the service sells the homes of the catalog as the operator's own. */
export const ownHomes = { LATCHKEY_ENVIRONMENT: 'test' };

/** Starts the service with all its roles; `env` as the environment would have it. */
export async function startTestService(
  env: NodeJS.ProcessEnv = {},
  {
    changeSupply = (supply) => supply,
    changeAvailability = (availability) => availability,
    changeDatabase = (database) => database,
    ...clock
  }: TestParts = {},
): Promise<TestService> {
  const { database, drop } = await createTestDatabase();
  const config = readConfig({ BASE_URL: testBaseUrl, ...env });
  const supply = changeSupply(supplyOf[config.environment](database), database);
  const { environment, baseUrl } = config;
  const changed = changeDatabase(database);
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
    ...clock,
  });
  await service.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = service.app.server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;

  return {
    origin,
    database,
    service,
    catalog,
    async follow() {
      await catalog.follow();
      await availability.follow();
    },
    partner: (application) => registerPartner(database, origin, application, environment),
    async stop() {
      await service.stop();
      await drop();
    },
  };
}
