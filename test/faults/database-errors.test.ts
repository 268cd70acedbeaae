/** Errors of the database module, and its deadline for a call. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { after, describe, it } from 'node:test';
import { refuseStaff } from '../../src/contract/operator/errors.ts';
import {
  defaultPoolLimits,
  openDatabase,
  type Database,
  type Executor,
} from '../../src/platform/postgres/database.ts';
import { longTransaction } from '../../src/platform/postgres/long-transaction.ts';
import { leastStatementMs } from '../../src/platform/postgres/statement-limit.ts';
import { DatabaseUnavailableError } from '../../src/platform/postgres/database-errors.ts';
import { remainingMs, withDeadline } from '../../src/platform/postgres/deadline.ts';
import { createTestDatabase } from '../harness/postgres.ts';
import { sql } from '../harness/rows.ts';

const connections = 2;
const { database, drop } = await createTestDatabase(connections);
after(drop);

const slowMs = 1_000;
const slow = (): Promise<unknown> => sql(database, `SELECT pg_sleep(${slowMs / 1_000})`);

const packet = (kind: string, body: Buffer): Buffer => {
  const head = Buffer.from(`${kind}0000`);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
};

const fatal =
  'SFATAL\0VFATAL\0C57P01\0Mterminating connection due to unexpected postmaster exit\0\0';

/** A server that accepts the connection and ends it in the same packet. */
async function openDyingDatabase(): Promise<{ database: Database; close(): Promise<void> }> {
  const hello = Buffer.concat([
    packet('R', Buffer.alloc(4)),
    packet('Z', Buffer.from('I')),
    packet('E', Buffer.from(fatal)),
  ]);
  const server = createServer((socket) => {
    socket.on('error', () => undefined).once('data', () => socket.end(hello));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const connection = { host: '127.0.0.1', port, user: 'u', database: 'd' };
  const dying = openDatabase(connection, database.vault, defaultPoolLimits, () => undefined);
  return {
    database: dying,
    async close() {
      await dying.close();
      server.close();
    },
  };
}

async function took(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await assert.rejects(work, DatabaseUnavailableError);
  return performance.now() - begin;
}

describe('a transaction', () => {
  it('throws what its work throws, and rolls back', async () => {
    class OurRefusal extends Error {}
    const work = database.transaction(async (executor) => {
      await sql(executor, `UPDATE catalogs SET name = 'changed'`);
      throw new OurRefusal('no');
    });
    await assert.rejects(work, OurRefusal);
    const [site] = await sql<{ name: string }>(database, 'SELECT name FROM catalogs');
    assert.notEqual(site?.name, 'changed');
  });

  it('returns the refusal that its work returns, and rolls back', async () => {
    const pid = (executor: Executor) =>
      sql<{ pid: number }>(executor, 'SELECT pg_backend_pid() AS pid');
    const refusal = refuseStaff('conflict', 'no');
    const before = await pid(database);
    const returned = await database.transaction(async (executor) => {
      await sql(executor, `UPDATE catalogs SET name = 'changed'`);
      return refusal;
    });
    assert.equal(returned, refusal);
    const [site] = await sql<{ name: string }>(database, 'SELECT name FROM catalogs');
    assert.notEqual(site?.name, 'changed');
    assert.deepEqual(await pid(database), before);
  });

  it('without a time limit returns the refusal that its work returns, and rolls back', async () => {
    const refusal = refuseStaff('conflict', 'no');
    const returned = await longTransaction(database, 'read write', async (executor) => {
      await sql(executor, `UPDATE catalogs SET name = 'changed'`);
      return { commit: true, result: refusal };
    });
    assert.equal(returned, refusal);
    const [site] = await sql<{ name: string }>(database, 'SELECT name FROM catalogs');
    assert.notEqual(site?.name, 'changed');
  });

  it('throws DatabaseUnavailableError when its connection ends, and the process continues', async () => {
    const work = database.transaction((executor) =>
      sql(executor, 'SELECT pg_terminate_backend(pg_backend_pid())'),
    );
    await assert.rejects(work, DatabaseUnavailableError);
    assert.deepEqual(await sql(database, 'SELECT 1 AS one'), [{ one: 1 }]);
  });
});

describe('a connection that ends', () => {
  it('in the packet in which it began does not end the process', async () => {
    const ends = (): Promise<unknown> => sql(connected, 'SELECT 1');
    const { database: connected, close } = await openDyingDatabase();
    try {
      for (let attempt = 0; attempt < 3; attempt += 1) {
        await assert.rejects(ends, DatabaseUnavailableError);
        await assert.rejects(
          connected.transaction(async () => ends()),
          DatabaseUnavailableError,
        );
      }
    } finally {
      await close();
    }
  });
});

describe('a refused statement', () => {
  it('throws the error unchanged, and keeps its connection', async () => {
    const pid = async () => sql<{ pid: number }>(database, 'SELECT pg_backend_pid() AS pid');
    const before = await pid();
    await assert.rejects(sql(database, 'SELECT 1 / 0'), { code: '22012' });
    assert.deepEqual(await pid(), before);
  });
});

describe('a deadline', () => {
  it('is shared by all statements of a call', async () => {
    const ms = await took(() =>
      withDeadline(1_500, async () => {
        for (;;) await slow();
      }),
    );
    // The last statement does not start with too little time left.
    assert.ok(ms > 1_500 - leastStatementMs - 10 && ms < 2_000, `${ms} ms`);
  });

  it('holds while a connection is waited for, and the connection is not lost', async () => {
    const busy = Array.from({ length: connections }, slow);
    const ms = await took(() => withDeadline(300, slow));
    assert.ok(ms < 800, `${ms} ms`);
    await Promise.all(busy);
    await Promise.all(Array.from({ length: connections * 3 }, () => sql(database, 'SELECT 1')));
  });

  it('sends no statement after it has passed', async () => {
    const write = (): Promise<unknown> => sql(database, `UPDATE catalogs SET name = 'sent'`);
    await assert.rejects(withDeadline(-1, write), DatabaseUnavailableError);
    const [site] = await sql<{ name: string }>(database, 'SELECT name FROM catalogs');
    assert.notEqual(site?.name, 'sent');
  });

  it('does not affect work outside the call', async () => {
    assert.equal(remainingMs(), Infinity);
    await withDeadline(10, async () => assert.ok(remainingMs() <= 10));
    assert.equal(remainingMs(), Infinity);
    await slow();
  });
});
