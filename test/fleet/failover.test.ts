/** The machine of the database is lost under load: its synchronous standby takes over. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  defaultPoolLimits,
  openDatabase,
  type Database,
} from '../../src/platform/postgres/database.ts';
import { openVault } from '../../src/platform/vault.ts';
import type { PostgresServer } from '../harness/postgres-server.ts';
import { ServiceRunner } from '../faults/service-runner.ts';
import { newSeed } from '../faults/seed.ts';
import { bookingPartners, outcomesOf } from '../faults/test-system.ts';
import { makeDataFolders } from '../harness/data-folders.ts';
import { eventually } from '../harness/eventually.ts';
import { sql } from '../harness/rows.ts';
import { freePort } from '../harness/free-port.ts';
import { openStandbyPair, type StandbyPair } from '../harness/standby.ts';
import { usedMasterKey } from '../harness/used-folder.ts';

const folders = await makeDataFolders();

/** Both servers, in this order. */
function urlOf(...servers: readonly [PostgresServer, PostgresServer]): string {
  const [one, other] = [servers[0].connection, servers[1].connection];
  const lists = { host: `${one.host},${other.host}`, port: `${one.port},${other.port}` };
  return `postgres:///${one.database}?${new URLSearchParams({ ...lists, user: one.user })}`;
}

describe('the machine of the database', () => {
  let pair: StandbyPair;
  let database: Database;
  let service: ServiceRunner;

  before(async () => {
    const standbyDir = folders.folder();
    pair = await openStandbyPair(await folders.usedFolder(), standbyDir);
    await pair.replicateSynchronously();
    const masterKey = await usedMasterKey();
    const connectionString = urlOf(pair.primary, pair.standby);
    const vault = openVault(masterKey);
    database = openDatabase({ connectionString }, vault, defaultPoolLimits, () => undefined);
    service = new ServiceRunner({
      dataDir: folders.folder(),
      port: await freePort(),
      env: {
        DATABASE_URL: `${connectionString}&target_session_attrs=read-write`,
        LATCHKEY_MASTER_KEY: masterKey.toString('base64'),
        LATCHKEY_LOG_LEVEL: 'warn',
      },
    });
    await service.start();
  });
  after(async () => {
    await service.end();
    await database.close();
    await pair.standby.stop();
    await folders.clear();
  });

  it('is found behind its standby, in either order', async () => {
    const connectionString = urlOf(pair.standby, pair.primary);
    const both = openDatabase(
      { connectionString },
      database.vault,
      defaultPoolLimits,
      () => undefined,
    );
    const alone = await both.connect();
    try {
      const role = 'SELECT pg_is_in_recovery() AS standby';
      assert.deepEqual(await sql(both, role), [{ standby: false }]);
      assert.deepEqual((await alone.query(role)).rows, [{ standby: false }]);
    } finally {
      await alone.end();
      await both.close();
    }
  });

  it('lost under load: no acknowledged write is lost, nothing happens twice, and work continues', async (t) => {
    const workload = await bookingPartners(database, service.origin, newSeed(t), 2);
    const { ended } = workload;
    const books = (): Promise<void> => {
      const earlier = ended.get('confirmed') ?? 0;
      return eventually(async () => (ended.get('confirmed') ?? 0) > earlier + 1, 60_000);
    };
    try {
      await books();
      await pair.primary.kill();
      await pair.promote();
      await books();
      assert.deepEqual(await outcomesOf(database, workload), []);
      assert.deepEqual(await sql(database, 'SELECT pg_is_in_recovery() AS standby'), [
        { standby: false },
      ]);
      t.diagnostic(JSON.stringify(Object.fromEntries(ended)));
    } finally {
      await workload.abandon();
    }
  });

  it('a service that starts afterwards passes over the lost server', async () => {
    await service.end();
    await service.start();
  });
});
