import type { Catalog } from '../catalog/index.ts';
import type { Environment } from '../contract/wire.ts';
import { type Availability, openNightsIndex } from '../inventory/index.ts';
import type { Database } from '../platform/postgres/database.ts';
import { primaryReads } from '../platform/postgres/replica.ts';
import { simulatedAvailability } from '../simulation/index.ts';

/** Opens the free nights of the environment. */
export const openAvailability = async (
  environment: Environment,
  database: Database,
  catalog: Catalog,
  reads = primaryReads(database),
): Promise<Availability> =>
  environment === 'simulation'
    ? simulatedAvailability
    : openNightsIndex(
        database,
        () => Array.from(catalog.views(), ({ listings }) => listings),
        reads,
      );
