/** When a call times out, PostgreSQL cancels its statement; its slot stays in use until then. */
import assert from 'node:assert/strict';
import { after, afterEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  defaultPoolLimits,
  openDatabase,
  type Database,
} from '../../src/platform/postgres/database.ts';
import { leastStatementMs, statementLimit } from '../../src/platform/postgres/statement-limit.ts';
import { DatabaseUnavailableError } from '../../src/platform/postgres/database-errors.ts';
import { withDeadline } from '../../src/platform/postgres/deadline.ts';
import { eventually } from '../harness/eventually.ts';
import { createTestDatabase, testConnection } from '../harness/postgres.ts';
import { sql } from '../harness/rows.ts';
import { TcpProxy } from './tcp-proxy.ts';

describe('the time limit of a statement', () => {
  const usual = defaultPoolLimits.statementMs;
  for (const [name, leftMs, expected] of [
    ['the usual one without a deadline', Infinity, usual],
    ['the default, if the call has enough time for it and for the response', usual + 250, usual],
    ['in steps below that', usual + 249, usual - 250],
    ['in steps below that, rounded down', 1_400, 1_000],
    ['the smallest step', leastStatementMs, 250],
    ['none where less is left', leastStatementMs - 1, 0],
    ['none where nothing is left', 0, 0],
    ['none after the end', -1, 0],
  ] as const) {
    it(name, () => assert.equal(statementLimit(usual, leftMs), expected));
  }
});

describe('callers that time out', async () => {
  const connections = 3;
  const { connection, database: observer, drop } = await createTestDatabase(1);
  const limits = { ...defaultPoolLimits, connections, statementMs: 1_500 };
  const lost = (): void => undefined;
  const open: Database[] = [];
  const opened = (to = connection): Database => {
    const database = openDatabase(to, observer.vault, limits, lost);
    open.push(database);
    return database;
  };
  afterEach(async () => {
    for (const database of open.splice(0)) await database.close();
  });
  after(() => drop());

  const backends = (state: string): Promise<{ pid: number }[]> =>
    sql(
      observer,
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database()
        AND pid <> pg_backend_pid() AND application_name = 'latchkey' AND state LIKE $1`,
      [state],
    );

  const pidsOf = async (database: Database): Promise<number[]> => {
    const asked = Array.from({ length: connections }, () =>
      sql<{ pid: number }>(database, 'SELECT pg_backend_pid() AS pid, pg_sleep(0.2)'),
    );
    return (await Promise.all(asked)).map(([row]) => row!.pid).toSorted();
  };

  const limitOf = async (database: Database): Promise<string> => {
    const [row] = await sql<{ setting: string }>(
      database,
      `SELECT current_setting('statement_timeout') AS setting`,
    );
    return row!.setting;
  };

  it('leave no more active backends than there are connections, and every connection in use', async () => {
    const database = opened();
    const before = await pidsOf(database);
    let ending = false;
    const failures: unknown[] = [];
    const callers = Array.from({ length: 4 * connections }, async (_, index) => {
      while (!ending) {
        const leftMs = leastStatementMs + 100 + 50 * index;
        const work = () =>
          index % 2 === 0
            ? sql(database, 'SELECT pg_sleep(10)')
            : database.transaction((executor) => sql(executor, 'SELECT pg_sleep(10)'));
        await withDeadline(leftMs, work).catch((error: unknown) => failures.push(error));
      }
    });
    const counts: number[] = [];
    const until = performance.now() + 4_000;
    while (performance.now() < until) {
      counts.push((await backends('active')).length);
      await sleep(5);
    }
    ending = true;
    await Promise.all(callers);
    assert.equal(Math.max(...counts), connections);
    assert.ok(failures.length > 4 * connections);
    assert.ok(failures.every((error) => error instanceof DatabaseUnavailableError));
    await sleep(100);
    assert.deepEqual(await backends('active'), []);
    assert.deepEqual(await pidsOf(database), before);
  });

  it('do not break their connection: PostgreSQL only cancels the statement', async () => {
    const database = opened();
    const before = await pidsOf(database);
    const asleep = () => sql(database, 'SELECT pg_sleep(10)');
    const begin = performance.now();
    await Promise.all(
      [asleep, () => withDeadline(900, asleep), () => withDeadline(1_200, asleep)].map((work) =>
        assert.rejects(work(), (error: Error) => {
          assert.ok(error instanceof DatabaseUnavailableError);
          // The second message occurs on a busy machine.
          return /statement timeout|did not answer in time/.test(error.message);
        }),
      ),
    );
    assert.ok(performance.now() - begin < limits.statementMs + 500);
    assert.deepEqual(await pidsOf(database), before);
  });

  it('take an answer that came in time while the process was busy', async () => {
    const short = { ...limits, connections: 1, statementMs: 250 };
    const database = openDatabase(connection, observer.vault, short, lost);
    open.push(database);
    await sql(database, 'SELECT 1');
    const answer = sql(database, 'SELECT pg_sleep(0.1)');
    await sleep(20);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 700);
    await answer;
  });

  it('leave the default limit to the next caller', async () => {
    const database = openDatabase(connection, observer.vault, { ...limits, connections: 1 }, lost);
    open.push(database);
    assert.equal(await limitOf(database), '1500ms');
    assert.equal(await withDeadline(1_300, () => limitOf(database)), '1s');
    assert.equal(await limitOf(database), '1500ms');
    assert.equal(await withDeadline(60_000, () => limitOf(database)), '1500ms');
  });

  it('do not start a statement with too little time left', async () => {
    // The backends of the previous test end shortly after their connections.
    await eventually(async () => (await backends('%')).length === 0);
    const database = opened();
    const one = () => sql(database, 'SELECT 1');
    for (const work of [one, () => database.transaction(one)]) {
      await assert.rejects(
        withDeadline(leastStatementMs - 1, work),
        /the time of the call is over/,
      );
    }
    assert.deepEqual(await backends('%'), []);
  });

  it('may leave a transaction whose statement is not answered: its late failure ends nothing', async () => {
    const { host, port } = testConnection() as { host: string; port: number };
    const proxy = await TcpProxy.open(() => `${host}/.s.PGSQL.${port}`);
    try {
      const through = { ...connection, host: '127.0.0.1', port: proxy.port } as typeof connection;
      const database = openDatabase(through, observer.vault, { ...limits, connections: 1 }, lost);
      open.push(database);
      let statement: Promise<unknown> = Promise.resolve();
      const left = database.transaction(async (executor) => {
        proxy.hold();
        statement = sql(executor, 'SELECT 1');
        statement.catch(() => undefined);
        // Its rollback is not answered either, and is waited for when the statement's time is over.
        await sleep(limits.statementMs - 200);
        throw new Error('left');
      });
      await assert.rejects(left, /left/);
      await assert.rejects(statement, /did not answer in time/);
      // The connection is dropped a second after the rollback was given up.
      await eventually(async () => proxy.connections === 0);
    } finally {
      await proxy.close();
    }
  });

  it('keep their slot while their statement may still arrive, and the connection is reused', async () => {
    const { host, port } = testConnection() as { host: string; port: number };
    const proxy = await TcpProxy.open(() => `${host}/.s.PGSQL.${port}`);
    try {
      const database = opened({
        ...connection,
        host: '127.0.0.1',
        port: proxy.port,
      } as typeof connection);
      const before = await pidsOf(database);
      proxy.hold();
      const callers = Array.from({ length: connections }, () =>
        withDeadline(leastStatementMs + 100, () => sql(database, 'SELECT pg_sleep(0.1)')),
      );
      for (const caller of callers) await assert.rejects(caller, /did not answer in time/);
      const next = pidsOf(database);
      await sleep(300);
      proxy.restore();
      assert.deepEqual(await next, before);
    } finally {
      await proxy.close();
    }
  });
});
