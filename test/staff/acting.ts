/** A process in which staff act once, and that kills itself at a failpoint. Started by `killed.test.ts`. */
import type { Environment } from '../../src/contract/wire.ts';
import { withFailpoint, type Failpoint } from '../../src/program/failpoint.ts';
import type { Connection } from '../../src/platform/postgres/connecting.ts';
import { defaultPoolLimits, openDatabase } from '../../src/platform/postgres/database.ts';
import { openVault } from '../../src/platform/vault.ts';
import { staffContext } from '../../src/program/staff-context.ts';
import { testMasterKey } from '../harness/postgres.ts';
import { acts, type Act } from './acts.ts';

/** What the process does, as JSON in its only argument. */
export interface Acting {
  connection: Connection;
  environment: Environment;
  failpoint: Failpoint;
  act: Act;
  input: Record<string, unknown>;
}

const { connection, environment, failpoint, act, input } = JSON.parse(process.argv[2]!) as Acting;
const vault = openVault(testMasterKey);
const database = openDatabase(connection, vault, defaultPoolLimits, () => undefined);
const staff = staffContext(withFailpoint(database, failpoint), environment, () => undefined);
await acts[act](staff, 'test:killed', input as never);
await database.close();
