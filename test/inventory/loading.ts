/** A process of its own that loads the index of taken nights; a test kills it. */
import { openNightsIndex } from '../../src/inventory/index.ts';
import type { Connection } from '../../src/platform/postgres/connecting.ts';
import { defaultPoolLimits, openDatabase } from '../../src/platform/postgres/database.ts';
import { openVault } from '../../src/platform/vault.ts';
import { testMasterKey } from '../harness/postgres.ts';

/** What the test passes. */
export interface Loading {
  connection: Connection;
}

const { connection } = JSON.parse(process.argv[2]!) as Loading;
const vault = openVault(testMasterKey);
await openNightsIndex(
  openDatabase(connection, vault, defaultPoolLimits, () => undefined),
  () => [],
);
