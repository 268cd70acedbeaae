/** The proxy of the fault tests cuts each statement that writes once before it comes, and once after its commit. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, suite, test } from 'node:test';
import {
  defaultPoolLimits,
  openDatabase,
  type Database,
} from '../../src/platform/postgres/database.ts';
import { DatabaseUnavailableError } from '../../src/platform/postgres/database-errors.ts';
import { openVault } from '../../src/platform/vault.ts';
import { createTestDatabase, testMasterKey, type TestDatabase } from '../harness/postgres.ts';
import { sql } from '../harness/rows.ts';
import { TcpProxy } from './tcp-proxy.ts';
import { WriteCuts } from './write-cuts.ts';

// The name of a table in a name, and a text on lines of its own.
const insert = { name: 'insert-other_thing', text: '\n  INSERT INTO things (n) VALUES ($1)' };
const count = { name: 'count-things', text: 'SELECT count(*)::int AS n FROM things' };

suite('cuts of statements that write', () => {
  let target: TestDatabase;
  let proxy: TcpProxy;
  let cut: Database;
  let cuts: WriteCuts;

  before(async () => {
    target = await createTestDatabase();
    await sql(target.database, 'CREATE TABLE things (n integer)');
    const { host, port } = target.connection as { host: string; port: number };
    proxy = await TcpProxy.open(() => (host.startsWith('/') ? `${host}/.s.PGSQL.${port}` : port));
    const near = { ...target.connection, host: '127.0.0.1', port: proxy.port };
    cut = openDatabase(near, openVault(testMasterKey), defaultPoolLimits, () => undefined);
  });
  beforeEach(async () => {
    await sql(target.database, 'TRUNCATE things');
    cuts = new WriteCuts(0);
    proxy.cuts = cuts;
  });
  after(async () => {
    await cut.close();
    await proxy.close();
    await target.drop();
  });

  const stored = async () => (await sql<{ n: number }>(target.database, count.text))[0]!.n;
  const lost = (work: Promise<unknown>) => assert.rejects(work, DatabaseUnavailableError);

  test('the first is not executed, the second is, and the third is answered', async () => {
    await lost(cut.query(insert, [1]));
    assert.equal(await stored(), 0);
    assert.deepEqual(cuts.left, ['insert-other_thing']);
    await lost(cut.query(insert, [2]));
    assert.equal(await stored(), 1);
    assert.deepEqual([cuts.left, cuts.whole], [[], ['insert-other_thing']]);
    await cut.query(insert, [3]);
    assert.equal(await stored(), 2);
  });

  test('in a transaction, the commit is what is not answered', async () => {
    const inTransaction = () =>
      cut.transaction(async (executor) => {
        await executor.query(insert, [1]);
        return executor.query(count, []);
      });
    await lost(inTransaction());
    assert.equal(await stored(), 0);
    await lost(inTransaction());
    assert.equal(await stored(), 1);
    assert.deepEqual(cuts.whole, ['insert-other_thing']);
  });

  test('a transaction that is rolled back is no cut', async () => {
    await lost(cut.query(insert, [1]));
    const rolledBack = cut.transaction(async (executor) => {
      await executor.query(insert, [1]);
      throw new Error('changed its mind');
    });
    await assert.rejects(rolledBack, /changed its mind/);
    assert.deepEqual([cuts.count, cuts.left], [1, ['insert-other_thing']]);
  });

  test('what only reads is not cut', async () => {
    await cut.query(count, []);
    assert.equal(cuts.count, 0);
  });
});
