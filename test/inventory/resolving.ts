/** A worker that resolves what is due, and kills itself at a failpoint. Started by `killed.test.ts`. */
import { createInventorySupply } from '../../src/bookings/index.ts';
import { parseFailpoint, withFailpoint } from '../../src/program/failpoint.ts';
import type { Connection } from '../../src/platform/postgres/connecting.ts';
import { defaultPoolLimits, openDatabase } from '../../src/platform/postgres/database.ts';
import { openVault } from '../../src/platform/vault.ts';
import { testMasterKey } from '../harness/postgres.ts';
import { openTestWorker } from '../harness/test-worker.ts';

/** What the process does, as JSON in its only argument. */
export interface Resolving {
  connection: Connection;
  failpoint: string;
}

const { connection, failpoint } = JSON.parse(process.argv[2]!) as Resolving;
const vault = openVault(testMasterKey);
const database = openDatabase(connection, vault, defaultPoolLimits, () => undefined);
const worker = await openTestWorker(withFailpoint(database, parseFailpoint(failpoint)), {
  supply: (_simulated, own) => createInventorySupply(own),
});
await worker.runDue();
await database.close();
