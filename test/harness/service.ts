import type { AddressInfo } from 'node:net';
import { readConfig } from '../../src/config.ts';
import { defaultQuotas } from '../../src/contract/limits.ts';
import type { Database } from '../../src/db/database.ts';
import { startService, type Service, type ServiceParts } from '../../src/service.ts';
import type { Partner } from './partner.ts';
import { createTestDatabase } from './postgres.ts';
import { registerPartner, type TestApplication } from './registration.ts';

/** Issuer and audience in tests; the socket is wherever the system put it. */
export const testBaseUrl = 'http://latchkey.test';

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** A service on a database of its own, reached over HTTP. */
export interface TestService {
  /** Where the socket is. */
  origin: string;
  database: Database;
  service: Service;
  /** Registers an application and returns a partner that calls for it. Quotas are ample unless named. */
  partner(application?: TestApplication): Promise<Partner>;
  stop(): Promise<void>;
}

/** Quotas as a new application gets them. */
export const standardQuotas = defaultQuotas;

/** Starts the service with all its roles; `env` as the environment would have it, `clock` that of its quotas. */
export async function startTestService(
  env: NodeJS.ProcessEnv = {},
  clock: Pick<ServiceParts, 'elapsedMs'> = {},
): Promise<TestService> {
  const { database, drop } = await createTestDatabase();
  const config = readConfig({ BASE_URL: testBaseUrl, ...env });
  const service = await startService({ config, database, logger: false, log: silent, ...clock });
  await service.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = service.app.server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;

  return {
    origin,
    database,
    service,
    partner: (application) => registerPartner(database, origin, application),
    async stop() {
      await service.stop();
      await drop();
    },
  };
}
