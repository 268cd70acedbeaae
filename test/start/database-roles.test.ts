/** Two roles in the database: one owns the tables, the other serves and cannot change the audit trail. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import pg from 'pg';
import { readConfig } from '../../src/config/config.ts';
import { openStorage, type Storage } from '../../src/installation/storage.ts';
import {
  chainAuditEntries,
  eraseAuditTexts,
  removeOldAuditEntries,
} from '../../src/platform/audit/audit-chain.ts';
import { insertAuditEntry } from '../../src/platform/audit/audit-entries.ts';
import { verifyAuditTrail } from '../../src/platform/audit/verify-chain.ts';
import { Seen } from '../../src/api/seen.ts';
import { setRates } from '../../src/catalog/set-rates.ts';
import { homesOf } from '../harness/catalog.ts';
import { ownsAuditTrail } from '../../src/platform/postgres/service-role.ts';
import { seedSimulation } from '../../src/simulation/seed.ts';
import { eventually } from '../harness/eventually.ts';
import { makeDataFolders } from '../harness/data-folders.ts';
import { testConnection } from '../harness/postgres.ts';
import { superuserOf } from '../harness/superuser.ts';
import { serve } from '../harness/service-process.ts';

const dataFolders = await makeDataFolders();
const suffix = randomBytes(4).toString('hex');
const [owner, service, name] = [`owner_${suffix}`, `service_${suffix}`, `roles_${suffix}`];

suite('LATCHKEY_DATABASE_OWNER_URL', () => {
  let admin: pg.Client;
  let storage: Storage;

  const urlOf = (role: string): string => {
    const { host, port } = testConnection() as { host: string; port: number };
    return `postgres://${role}@/${name}?host=${encodeURIComponent(host)}&port=${port}`;
  };
  const dataDir = dataFolders.folder();
  const env = {
    DATABASE_URL: urlOf(service),
    LATCHKEY_DATABASE_OWNER_URL: urlOf(owner),
    LATCHKEY_DATA_DIR: dataDir,
  };
  const opened = (of: NodeJS.ProcessEnv = env) =>
    openStorage(readConfig(of), { join: false, log: () => undefined });

  before(async () => {
    // Of the server that the tests have started.
    admin = new pg.Client(await superuserOf({ ...testConnection(), database: 'postgres' }));
    await admin.connect();
    for (const role of [owner, service]) await admin.query(`CREATE ROLE ${role} LOGIN`);
    await admin.query(`CREATE DATABASE ${name} OWNER ${owner}`);
    await admin.query(`REVOKE TEMPORARY ON DATABASE ${name} FROM PUBLIC`);
    storage = await opened();
  });
  after(async () => {
    await storage.close();
    await admin.query(`DROP DATABASE ${name}`);
    for (const role of [owner, service]) await admin.query(`DROP ROLE ${role}`);
    await admin.end();
    await dataFolders.clear();
  });

  const enter = () =>
    insertAuditEntry(storage.database, {
      actor: 'test',
      action: 'block.add',
      applicationId: null,
      reference: 'LK-TEST-0001',
      details: { reason: 'The owner has called.' },
    });

  // Spec: OPERATOR-16.
  test('the service reads and writes homes, and can neither change nor empty the audit trail', async () => {
    const { database } = storage;
    assert.equal(await ownsAuditTrail(database), false);
    await seedSimulation(database);
    const listings = [(await homesOf({ database }))[0]!.slug];
    const night = { from: '2030-01-01', to: '2030-01-01', nightly: 30_000 };
    const options = { seen: new Seen(undefined), allowUnusual: true, dryRun: false };
    const set = await setRates(database, 'test', { ...night, ...options, listings });
    assert.ok('changed' in set && set.changed === 1, 'rows are set aside in a temporary table');
    await enter();
    assert.ok((await chainAuditEntries(database, 100)) >= 1);
    const forbidden = [
      `UPDATE audit_entries SET actor = 'somebody else'`,
      'DELETE FROM audit_entries',
      'TRUNCATE audit_entries CASCADE',
      'DELETE FROM audit_chain',
      `INSERT INTO audit_chain VALUES (1000, 1, sha256(''))`,
      'UPDATE audit_head SET position = 0',
      'DELETE FROM audit_unchained',
      'UPDATE audit_texts SET text_sealed = NULL',
      'ALTER TABLE audit_entries DISABLE TRIGGER USER',
      'DROP TABLE audit_entries',
      'DELETE FROM schema_migrations',
      'CREATE TABLE mine (id integer)',
    ];
    for (const text of forbidden) {
      await assert.rejects(
        database.query({ name: '', text }),
        /permission denied|must be owner/,
        text,
      );
    }
    assert.equal(await eraseAuditTexts(database, ['LK-TEST-0001']), 1);
    assert.equal(await removeOldAuditEntries(database, 10), 0);
    const verified = await verifyAuditTrail(database);
    assert.ok(!('problem' in verified), JSON.stringify(verified));
    assert.equal(verified.erased, 1);
  });

  // Spec: OPERATOR-16.
  test('a service serves and chains with it; the owner alone could change the trail, and is told apart', async () => {
    const running = await serve({ dataDir, env });
    await enter();
    await eventually(async () => {
      const [row] = await storage.database.query<{ waiting: number }>({
        name: '',
        text: 'SELECT count(*)::integer AS waiting FROM audit_unchained',
      });
      return row!.waiting === 0;
    }, 20_000);
    await running.stop();
    assert.doesNotMatch(running.output, /permission denied|must be owner/);
    const asOwner = await opened({ ...env, DATABASE_URL: urlOf(owner) });
    assert.equal(await ownsAuditTrail(asOwner.database), true);
    await asOwner.close();
  });
});
