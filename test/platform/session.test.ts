/** What a session of the service is, whatever its database, role or pooler says. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTestDatabase, type TestDatabase } from '../harness/postgres.ts';
import { sql } from '../harness/rows.ts';

const ofDatabase = {
  lock_timeout: '50',
  TimeZone: 'Asia/Tokyo',
  DateStyle: 'SQL, DMY',
  statement_timeout: '80',
  default_transaction_isolation: 'serializable',
  enable_seqscan: 'on',
};

describe('a session', () => {
  let test: TestDatabase;

  before(async () => {
    const own = await createTestDatabase();
    const [row] = await sql<{ name: string }>(own.database, 'SELECT current_database() AS name');
    for (const [name, value] of Object.entries(ofDatabase)) {
      await sql(own.database, `ALTER DATABASE ${row!.name} SET ${name} = '${value}'`);
    }
    // The connections of before keep their settings.
    await sql(
      own.database,
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    test = own;
  });
  after(() => test.drop());

  const inNew = async <T>(text: string): Promise<T> => {
    const client = await test.database.connect();
    try {
      return (await client.query(text)).rows[0] as T;
    } finally {
      await client.end();
    }
  };

  it('reads instants in UTC, in the order that the service reads', async () => {
    const at = '2027-01-02T03:04:05Z';
    assert.deepEqual(await inNew(`SELECT timestamptz '${at}' AS at, date '2027-01-02' AS day`), {
      at: Date.parse(at),
      day: '2027-01-02',
    });
  });

  it('waits longer for a lock than the database says, and has its own isolation', async () => {
    const holder = await test.database.connect();
    await holder.query('BEGIN; LOCK TABLE listings');
    const waiting = inNew('SELECT count(*) > 0 AS some FROM listings');
    await sleep(200);
    await holder.query('COMMIT');
    await holder.end();
    assert.deepEqual(await waiting, { some: true });
    assert.deepEqual(await inNew('SHOW transaction_isolation'), {
      transaction_isolation: 'read committed',
    });
  });
});
