import type { AddressInfo } from 'node:net';
import { randomUUID } from 'node:crypto';
import { mintKey } from '../../src/access/index.ts';
import { readConfig } from '../../src/config.ts';
import { defaultQuotas, type Tier } from '../../src/contract/limits.ts';
import { capabilities, type Capability } from '../../src/contract/scopes.ts';
import type { Settlement } from '../../src/contract/wire.ts';
import { insertKey } from '../../src/db/application-keys.ts';
import { insertApplication } from '../../src/db/applications.ts';
import type { Database } from '../../src/db/database.ts';
import { startService, type Service } from '../../src/service.ts';
import { Partner } from './partner.ts';
import { createTestDatabase } from './postgres.ts';

/** Issuer and audience in tests; the socket is wherever the system put it. */
export const testBaseUrl = 'http://latchkey.test';

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** What a test application is registered with. */
export interface TestApplication {
  settlement?: Settlement;
  grants?: Capability[];
  quotas?: Partial<Record<Tier, number>>;
}

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

const ample: Record<Tier, number> = { read: 1e6, search: 1e6, write: 1e6, signal: 1e6 };

/** Quotas as a new application gets them. */
export const standardQuotas = defaultQuotas;

/** Starts the service with all its roles; `env` as the environment would have it. */
export async function startTestService(env: NodeJS.ProcessEnv = {}): Promise<TestService> {
  const { database, drop } = await createTestDatabase();
  const config = readConfig({ BASE_URL: testBaseUrl, ...env });
  const service = await startService({ config, database, logger: false, log: silent });
  await service.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = service.app.server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;

  return {
    origin,
    database,
    service,
    async partner({ settlement = 'partner', grants = [...capabilities], quotas = {} } = {}) {
      const applicationId = randomUUID();
      await insertApplication(database, {
        applicationId,
        name: 'a test',
        settlement,
        grants,
        quotas: { ...ample, ...quotas },
      });
      const { keyId, applicationKey, digest } = mintKey('simulation');
      await insertKey(database, { keyId, applicationId, digest, lifetimeSeconds: 3600 });
      return new Partner(origin, { applicationId, applicationKey, keyId, settlement });
    },
    async stop() {
      await service.stop();
      await drop();
    },
  };
}
