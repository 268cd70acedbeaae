/** Many processes on one database: started at once, each with its role, and of one mind. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeMasterKey } from '../../src/installation/master-key.ts';
import { Partner, type OpenCheckout } from '../harness/partner.ts';
import { createTestDatabase, type TestDatabase } from '../harness/postgres.ts';
import { registerPartner } from '../harness/registration.ts';
import { sql } from '../harness/rows.ts';
import { launch, onDatabase, serve, type ServiceProcess } from '../harness/service-process.ts';
import { makeDataFolders } from '../harness/data-folders.ts';

const dataFolders = await makeDataFolders();
after(() => dataFolders.clear());

describe('several processes that start at once on an empty database', () => {
  let database: TestDatabase;
  let services: ServiceProcess[];
  const folders = [dataFolders.folder(), dataFolders.folder()];

  before(async () => {
    database = await createTestDatabase(4, 'template1');
    // The server of the tests has one hundred for all files that run at once.
    const env = { ...onDatabase(database), LATCHKEY_DATABASE_CONNECTIONS: '4' };
    const launches = [...folders, ...folders].map((dataDir) => launch({ dataDir, env }));
    services = await Promise.all(launches);
    await Promise.all(services.map((service) => service.ready()));
  });
  after(async () => {
    await Promise.all(services.map((service) => service.stop()));
    await database.drop();
  });

  it('all serve; one of them migrates, one seeds', async () => {
    const migrated = services.flatMap((service) =>
      service.log().filter(({ msg }) => msg === 'migrated'),
    );
    assert.equal(migrated.length, 1);
    const [count] = await sql(
      database.database,
      `SELECT (SELECT count(*) FROM listings) AS listings, (SELECT count(*) FROM catalogs) AS sites,
        (SELECT count(*) FROM applications) AS applications,
        (SELECT count(*) FROM token_signing_keys WHERE retired_at IS NULL) AS keys`,
    );
    assert.deepEqual(count, { listings: 120, sites: 1, applications: 2, keys: 1 });
    for (const { stderr } of services) assert.equal(stderr, '');
  });

  it('write credentials into each data folder that every process accepts', async () => {
    for (const dataDir of folders) {
      const text = await readFile(path.join(dataDir, 'sandbox-credentials.json'), 'utf8');
      const { applications } = JSON.parse(text) as {
        applications: {
          settlement: 'card' | 'partner';
          applicationId: string;
          applicationKey: string;
        }[];
      };
      const [application] = applications;
      assert.ok(application);
      // Each file names one of the base URLs, and a token is asked for without naming any.
      for (const { origin } of services) {
        const token = await new Partner(origin, { ...application, keyId: '' }).token();
        assert.match(token, /^ey/);
      }
    }
  });
});

// A step that failed on a busy machine waits for the end of its lease.
const resolvedWithinMs = 40_000;

describe('processes with one role each', () => {
  let database: TestDatabase;
  let first: ServiceProcess;
  let second: ServiceProcess;
  let partner: Partner;
  const start = (roles: string) =>
    launch({
      dataDir: dataFolders.folder(),
      env: {
        ...onDatabase(database),
        LATCHKEY_ROLES: roles,
        // One service to its partners, as behind a balancer.
        BASE_URL: 'http://latchkey.test',
      },
    });

  before(async () => {
    database = await createTestDatabase();
    [first, second] = await Promise.all([start('api'), start('api')]);
    await Promise.all([first.ready(), second.ready()]);
    partner = await registerPartner(database.database, first.origin);
  });
  after(async () => {
    await Promise.all([first.stop(), second.stop()]);
    await database.drop();
  });

  it('api accepts bookings, and each process reads those of the others', async () => {
    const open = await partner.submittedCheckout();
    const elsewhere = new Partner(second.origin, partner.credentials);
    const there = await elsewhere.succeed('reservation.checkout.get', open.at);
    assert.deepEqual(there, await partner.succeed('reservation.checkout.get', open.at));
    assert.equal(there.state, 'pending');
    // A token of the one is a token of the other.
    await elsewhere.succeed('distribution.site.get', { token: await partner.token() });

    await sleep(1_200);
    const status = await elsewhere.succeed('reservation.checkout.getStatus', open.at);
    assert.equal(status.state, 'pending', 'nobody resolves it here');
  });

  it('worker resolves them, and does not listen', async () => {
    const open = await partner.submittedCheckout();
    const worker = await start('worker');
    await partner.statusOnce(open, ['confirmed'], resolvedWithinMs);
    assert.match(worker.stdout, /Latchkey resolves bookings here and serves no API\./);
    assert.doesNotMatch(worker.stdout, /curl|Server listening/);
    assert.equal(await worker.readiness(), undefined);
    assert.deepEqual(await worker.stop(), { code: 0, signal: null });
    assert.equal(worker.stderr, '');
  });

  it('two workers resolve bookings that others accepted, each once', async () => {
    // One after the other: what two starting processes leave of the machine is too little for twenty at once.
    const bookings: OpenCheckout[] = [];
    while (bookings.length < 20) bookings.push(await partner.readyCheckout());
    const earlier = await partner.succeed('reservation.event.list', { query: { limit: 50 } });
    const workers = await Promise.all([start('worker'), start('worker')]);
    await Promise.all(bookings.map((open) => partner.submit(open)));
    await Promise.all(
      bookings.map((open) => partner.statusOnce(open, ['confirmed'], resolvedWithinMs)),
    );
    const query = { limit: 50, cursor: earlier.nextCursor };
    const { items } = await partner.succeed('reservation.event.list', { query });
    const resolved = items.filter(({ type }) => type === 'checkout.resolved');
    assert.equal(resolved.length, bookings.length);
    assert.equal(
      new Set(resolved.map(({ data }) => 'checkoutId' in data && data.checkoutId)).size,
      bookings.length,
    );
    await Promise.all(workers.map((worker) => worker.stop()));
  });
});

describe('a master key', () => {
  it('is created once by concurrent processes', async () => {
    const dataDir = dataFolders.folder();
    const keys = await Promise.all(Array.from({ length: 16 }, () => makeMasterKey(dataDir)));
    assert.equal(new Set(keys.map(([key]) => key!.toString('hex'))).size, 1);
  });
});

describe("the operator's own database", () => {
  it('if unavailable, makes the service unready, but it keeps running', async () => {
    const database = await createTestDatabase();
    const service = await serve({ dataDir: dataFolders.folder(), env: onDatabase(database) });
    await database.drop();
    assert.equal(await service.readiness(), 503);
    assert.equal((await fetch(`${service.origin}/healthz`)).status, 200);
    assert.deepEqual(await service.stop(), { code: 0, signal: null });
  });
});
