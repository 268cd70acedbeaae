/** A process that outlives a restore: its database is replaced by an earlier copy that went on without it. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { defaultPoolLimits, openDatabase } from '../../src/platform/postgres/database.ts';
import type { Connection } from '../../src/platform/postgres/connecting.ts';
import { changeListing, easyStays, homesOf, plainPrices, sql } from '../harness/catalog.ts';
import { testConnection } from '../harness/postgres.ts';
import type { Partner } from '../harness/partner.ts';
import { ownHomes, startTestService, type TestService } from '../harness/service.ts';

const nightly = (amount: number) => () => ({
  ...plainPrices,
  stayRules: easyStays,
  rates: { ...plainPrices.rates, nightly: amount },
});

describe('a database that is replaced by an earlier copy of itself', () => {
  let service: TestService;
  let partner: Partner;
  let admin: pg.Client;
  let name: string;
  const copy = `test_${randomBytes(6).toString('hex')}`;
  const lost = `test_${randomBytes(6).toString('hex')}`;
  let listingId: string;

  const end = (database: string) =>
    admin.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND usename = current_user',
      [database],
    );

  /** Repeats what fails while somebody is still connected. */
  async function alone(database: string, statement: string): Promise<void> {
    for (let tries = 0; tries < 100; tries += 1) {
      await end(database);
      const done = await admin.query(statement).then(
        () => true,
        () => false,
      );
      if (done) return;
    }
    assert.fail(`somebody stays connected to ${database}`);
  }

  before(async () => {
    admin = new pg.Client(testConnection() as pg.ClientConfig);
    await admin.connect();
    service = await startTestService(ownHomes);
    partner = await service.partner();
    ({ listingId } = (await homesOf(service))[0]!);
    const [row] = await sql<{ name: string }>(service, 'SELECT current_database()::text AS name');
    ({ name } = row!);
  });
  after(async () => {
    await service.stop();
    await admin.query(`DROP DATABASE IF EXISTS ${lost} WITH (FORCE)`);
    await admin.end();
  });

  it('is quoted and booked at the prices that it has, although its revision is the known one', async () => {
    const stay = { listingId, checkIn: '2027-03-01', checkOut: '2027-03-02', party: { adults: 1 } };
    await changeListing(service.database, listingId, nightly(11_100));
    await alone(name, `CREATE DATABASE ${copy} TEMPLATE ${name} STRATEGY FILE_COPY`);

    // What the restore loses, and this process knows.
    await changeListing(service.database, listingId, nightly(3_000));
    await service.follow();
    assert.equal((await partner.quote(stay)).charges.total, 3_000);

    // What others do with the restored database.
    const connection = { ...testConnection(), database: copy } as Connection;
    const restored = openDatabase(
      connection,
      service.database.vault,
      defaultPoolLimits,
      () => undefined,
    );
    await changeListing(restored, listingId, nightly(34_632));
    await restored.close();

    await alone(name, `ALTER DATABASE ${name} RENAME TO ${lost}`);
    await alone(copy, `ALTER DATABASE ${copy} RENAME TO ${name}`);

    const open = await partner.readyCheckout(undefined, await partner.quote(stay));
    assert.equal(open.quote.charges.total, 34_632);
    await partner.submit(open);
    await partner.statusOnce(open, ['confirmed']);
  });
});
