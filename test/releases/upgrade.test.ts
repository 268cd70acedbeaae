/** This version on the data of each release that is kept: it starts, everything is there, and partners book. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { cp, readdir } from 'node:fs/promises';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { migrate } from '../../src/platform/postgres/migrate.ts';
import { makeDataFolders } from '../harness/data-folders.ts';
import { eventually } from '../harness/eventually.ts';
import { Partner } from '../harness/partner.ts';
import { createTestDatabase, type TestDatabase } from '../harness/postgres.ts';
import { readRelease, releasesFolder, type KeptRelease } from '../harness/release-data.ts';
import { sql } from '../harness/rows.ts';
import { onDatabase, projectRoot, serve } from '../harness/service-process.ts';

const dataFolders = await makeDataFolders();
after(() => dataFolders.clear());

const published = path.join(projectRoot, 'migrations');
const promotions = 'SELECT code, uses FROM promotions ORDER BY code';
const reservations = 'SELECT application_id, reference FROM reservations ORDER BY reference';

/** Puts the data of a release into a database of its own. */
async function databaseOf({ sql: text }: KeptRelease): Promise<TestDatabase> {
  const test = await createTestDatabase(10, 'template1');
  const client = await test.database.connect();
  await client.query(text);
  await client.end();
  return test;
}

/** Starts this version on the database; nothing of before may be missing, and partners must be able to book. */
async function upgrade(release: KeptRelease, test: TestDatabase): Promise<void> {
  const before = {
    promotions: await sql(test.database, promotions),
    reservations: await sql(test.database, reservations),
  };
  assert.ok(before.promotions.length > 0 && before.reservations.length > 0);
  const env = { ...onDatabase(test), BASE_URL: 'http://latchkey.test' };
  const service = await serve({ dataDir: dataFolders.folder(), env });
  assert.deepEqual(
    {
      promotions: await sql(test.database, promotions),
      reservations: await sql(test.database, reservations),
    },
    before,
  );
  const catalogs = await sql(test.database, 'SELECT FROM catalogs');
  assert.equal(catalogs.length, 1);
  for (const application of release.applications) {
    const partner = new Partner(service.origin, application);
    const own = before.reservations.filter(
      (row) => row['application_id'] === application.applicationId,
    );
    for (const { reference } of own) {
      const found = await partner.succeed('reservation.reservation.get', {
        params: { reference: String(reference) },
      });
      assert.equal(found.reference, reference);
    }
    if (application.settlement !== 'partner') continue;
    const open = await partner.submittedCheckout();
    await partner.statusOnce(open, ['confirmed']);
  }
  await service.stop();
}

/** Reads all tables in one transaction, as a dump does. Returns what ends it. */
async function startDump(test: TestDatabase): Promise<() => Promise<void>> {
  const client = await test.database.connect();
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const { rows } = await client.query<{ text: string }>(
    `SELECT format('LOCK TABLE %I IN ACCESS SHARE MODE', tablename) AS text
      FROM pg_tables WHERE schemaname = current_schema()`,
  );
  for (const { text } of rows) await client.query(text);
  return () => client.end();
}

const waiting = `SELECT FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'`;

/** Upgrades while a dump runs: it waits for its end, and calls do not wait for the upgrade. */
async function upgradeBehindDump(release: KeptRelease, test: TestDatabase): Promise<void> {
  const end = await startDump(test);
  const upgraded = upgrade(release, test);
  try {
    for (let tries = 0; tries < 2; tries += 1) {
      await eventually(async () => (await sql(test.database, waiting)).length > 0, 30_000, 5);
      await sql(test.database, promotions);
      await sql(test.database, reservations);
    }
  } finally {
    await end();
  }
  await upgraded;
}

/** The migrations of this version up to one, in a folder. */
async function migrationsUntil(last: string): Promise<URL> {
  const folder = dataFolders.folder();
  const names = (await readdir(published)).filter((name) => name.slice(0, 6) <= last);
  for (const name of names) await cp(path.join(published, name), path.join(folder, name));
  return pathToFileURL(`${folder}/`);
}

describe('upgrading the data of a release', () => {
  for (const file of readdirSync(releasesFolder)) {
    it(`of ${path.basename(file, '.sql.gz')}, while a dump runs`, async () => {
      const release = await readRelease(file);
      const test = await databaseOf(release);
      await upgradeBehindDump(release, test);
      await test.drop();
    });
  }

  it('that an earlier version could not upgrade, because it left promotions without a catalog', async () => {
    const release = await readRelease('2026-11-21.sql.gz');
    const test = await databaseOf(release);
    await migrate(test.database, { folder: await migrationsUntil('000011') });
    await upgrade(release, test);
    await test.drop();
  });
});
