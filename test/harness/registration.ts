import { randomUUID } from 'node:crypto';
import { mintKey } from '../../src/access/application-key.ts';
import type { Tier } from '../../src/contract/limits.ts';
import { capabilities, type Capability } from '../../src/contract/scopes.ts';
import type { Environment, Settlement } from '../../src/contract/wire.ts';
import { insertKey } from '../../src/access/store/application-keys.ts';
import { insertApplication } from '../../src/access/store/applications.ts';
import type { Database } from '../../src/platform/postgres/database.ts';
import { Partner, type Origin } from './partner.ts';

/** What a test application is registered with. */
export interface TestApplication {
  name?: string;
  settlement?: Settlement;
  grants?: Capability[];
  quotas?: Partial<Record<Tier, number>>;
  /** Absent: the only one. */
  catalogId?: string;
  adjustPercent?: number;
  reservationsPerDay?: number;
}

const ample: Record<Tier, number> = { read: 1e6, search: 1e6, write: 1e6, signal: 1e6 };

/** Registers an application and returns a partner that calls for it. Quotas are ample unless named. */
export async function registerPartner(
  database: Database,
  origin: Origin,
  {
    name = 'a test',
    settlement = 'partner',
    grants = [...capabilities],
    quotas = {},
    ...selling
  }: TestApplication = {},
  environment: Environment = 'simulation',
): Promise<Partner> {
  const applicationId = randomUUID();
  await insertApplication(database, {
    applicationId,
    name,
    settlement,
    grants,
    quotas: { ...ample, ...quotas },
    portalKeys: environment === 'simulation',
    ...selling,
  });
  const { keyId, applicationKey, digest } = mintKey(environment);
  await insertKey(database, { keyId, applicationId, digest, lifetimeSeconds: 3600 });
  return new Partner(origin, { applicationId, applicationKey, keyId, settlement });
}
