/** The synchronous standby is lost: commits wait, the pool stays as large as it is, and reads go on. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseBusyError } from '../../src/platform/postgres/database-errors.ts';
import {
  defaultPoolLimits,
  openDatabase,
  type Database,
} from '../../src/platform/postgres/database.ts';
import { openVault } from '../../src/platform/vault.ts';
import { makeDataFolders } from '../harness/data-folders.ts';
import { eventually } from '../harness/eventually.ts';
import { testMasterKey } from '../harness/postgres.ts';
import { sql } from '../harness/rows.ts';
import { asSuperuser, openStandbyPair, type StandbyPair } from '../harness/standby.ts';

const folders = await makeDataFolders();
const limits = { ...defaultPoolLimits, connections: 6, statementMs: 300 };

describe('a database whose synchronous standby is lost', () => {
  let pair: StandbyPair;
  let database: Database;
  before(async () => {
    pair = await openStandbyPair(await folders.usedFolder(), folders.folder());
    database = openDatabase(
      pair.primary.connection,
      openVault(testMasterKey),
      limits,
      () => undefined,
    );
    await sql(database, 'CREATE TABLE written (n int)');
    await pair.replicateSynchronously();
    await sql(database, 'INSERT INTO written VALUES (0)');
  });
  after(async () => {
    await database.close();
    await pair.stop();
    await folders.clear();
  });

  const backends = async (): Promise<number> => {
    const text = `SELECT count(*)::integer AS count FROM pg_stat_activity WHERE application_name = 'latchkey'`;
    const [row] = await asSuperuser(pair.primary, text);
    return Number(row!['count']);
  };

  it('keeps its slots until commits no longer wait, and serves reads', async () => {
    await pair.standby.kill();
    const failures: unknown[] = [];
    let most = 0;
    // More rounds than the pool has connections, each longer than a statement may take.
    for (let round = 0; round < 4; round += 1) {
      const writes = Array.from({ length: 8 }, (_, n) =>
        sql(database, 'INSERT INTO written VALUES ($1)', [n]).catch((error: unknown) => {
          failures.push(error);
        }),
      );
      await Promise.all(writes);
      assert.deepEqual(await sql(database, 'SELECT 1 AS one'), [{ one: 1 }]);
      most = Math.max(most, await backends());
      await sleep(500);
    }
    assert.ok(failures.length > 0);
    assert.ok(
      failures.some((error) => error instanceof DatabaseBusyError),
      'writes are refused when all of their slots wait',
    );
    // One more asks what the others do.
    assert.ok(most <= limits.connections + 1, `${most} backends`);
  });

  it('writes again when the standby is back', async () => {
    await pair.standby.restart();
    await eventually(async () => {
      try {
        await sql(database, 'INSERT INTO written VALUES (100)');
        return true;
      } catch {
        return false;
      }
    }, 20_000);
    await eventually(async () => (await backends()) <= limits.connections, 10_000);
    // A slot is free again when the server says that its statement is over.
    await eventually(async () => database.usage().used === 0, 10_000);
  });
});
