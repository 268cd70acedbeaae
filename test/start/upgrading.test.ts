/** A newer version on the data of this one, this one on the data of a newer one, and both side by side. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { makeVersion } from '../harness/another-version.ts';
import { withDatabaseOf } from '../harness/embedded.ts';
import { eventually } from '../harness/eventually.ts';
import { Partner, type OpenCheckout } from '../harness/partner.ts';
import { createTestDatabase, type TestDatabase } from '../harness/postgres.ts';
import { registerPartner } from '../harness/registration.ts';
import { sql } from '../harness/rows.ts';
import { launch, onDatabase, serve, type ServiceProcess } from '../harness/service-process.ts';
import { makeDataFolders } from '../harness/data-folders.ts';

const dataFolders = await makeDataFolders();
after(() => dataFolders.clear());

const later = '999999_later.sql';
const newer = await makeVersion(dataFolders.folder(), {
  [later]: 'ALTER TABLE applications ADD COLUMN contact text;',
});
const broken = await makeVersion(dataFolders.folder(), {
  [later]: 'CREATE TABLE half_way (one integer); SELECT no_such_function();',
});

const migrationsIn = (service: ServiceProcess): unknown[] =>
  service.log().flatMap(({ msg, ...line }) => (msg === 'migrated' ? [line['applied']] : []));

async function book(partner: Partner): Promise<OpenCheckout> {
  const open = await partner.submittedCheckout();
  await partner.statusOnce(open, ['confirmed']);
  return open;
}

async function refusal(dataDir: string, project?: string): Promise<string> {
  const service = await launch({ dataDir, ...(project !== undefined && { project }) });
  assert.deepEqual(await service.ended, { code: 1, signal: null });
  assert.doesNotMatch(service.output, /^ +at /m);
  return service.stderr;
}

describe('a newer version on the data folder of this one', () => {
  let dataDir: string;
  let copy: string;
  let partner: Partner;
  let open: OpenCheckout;

  before(async () => {
    dataDir = await dataFolders.usedFolder();
    copy = dataFolders.folder();
    const service = await serve({ dataDir });
    partner = await withDatabaseOf(dataDir, (database) =>
      registerPartner(database, service.origin),
    );
    open = await book(partner);
    await service.stop();
    await promisify(execFile)('cp', ['-pR', dataDir, copy]);
  });

  it('if it cannot migrate, does not start and changes nothing', async () => {
    const said = await refusal(dataDir, broken);
    assert.match(said, /cannot be brought to the form that this version needs: .*no_such_function/);
    const service = await serve({ dataDir });
    const [left] = await withDatabaseOf(dataDir, (database) =>
      sql(database, `SELECT to_regclass('half_way') AS half, to_regclass('bookings') AS whole`),
    );
    assert.deepEqual(left, { half: null, whole: 'bookings' });
    await service.stop();
    assert.deepEqual(migrationsIn(service), []);
  });

  it('migrates at the start, and all data is there', async () => {
    const service = await serve({ dataDir, project: newer });
    assert.deepEqual(migrationsIn(service), [[later]]);
    const here = new Partner(service.origin, partner.credentials);
    const checkout = await here.succeed('reservation.checkout.get', open.at);
    assert.equal(checkout.state, 'confirmed');
    assert.equal(checkout.guest?.email, 'ada@example.com');
    await book(here);
    await service.stop();
  });

  it('migrates once', async () => {
    const service = await serve({ dataDir, project: newer });
    await service.stop();
    assert.deepEqual(migrationsIn(service), []);
  });

  it('makes this version refuse to start on it', async () => {
    assert.match(await refusal(dataDir), new RegExp(`${later}.*made by a newer version`));
  });

  it('can be reverted with a copy made before', async () => {
    const service = await serve({ dataDir: copy });
    const here = new Partner(service.origin, partner.credentials);
    assert.equal((await here.succeed('reservation.checkout.get', open.at)).state, 'confirmed');
    await book(here);
    await service.stop();
  });
});

describe('a newer version beside this one, on one database', () => {
  let database: TestDatabase;
  let older: ServiceProcess;
  let partner: Partner;

  before(async () => {
    database = await createTestDatabase();
    older = await serve({ dataDir: dataFolders.folder(), env: environment() });
    partner = await registerPartner(database.database, older.origin);
  });
  after(async () => {
    await older.stop();
    await database.drop();
  });

  const environment = () => ({ ...onDatabase(database), BASE_URL: 'http://latchkey.test' });

  it('both serve and book, also what the other accepted', async () => {
    const service = await serve({
      dataDir: dataFolders.folder(),
      env: environment(),
      project: newer,
    });
    assert.deepEqual(migrationsIn(service), [[later]]);
    const there = new Partner(service.origin, partner.credentials);
    const [here, elsewhere] = await Promise.all([book(partner), book(there)]);
    const found = await there.succeed('reservation.checkout.get', here.at);
    assert.equal(found.state, 'confirmed');
    assert.equal(
      (await partner.succeed('reservation.checkout.get', elsewhere.at)).state,
      'confirmed',
    );
    await service.stop();
    await book(partner);
  });

  it('waits while another process migrates', async () => {
    const client = await database.database.connect();
    await client.query('SELECT pg_advisory_lock(4702615329)');
    const service = await launch({
      dataDir: dataFolders.folder(),
      env: environment(),
      project: newer,
    });
    const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database()
      AND query LIKE '%pg_try_advisory_lock%' AND state = 'idle'`;
    await eventually(async () => (await sql(database.database, waiting)).length > 0, 30_000);
    assert.equal(await service.readiness(), undefined);
    await client.end();
    await service.ready();
    await service.stop();
  });
});
