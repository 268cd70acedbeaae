/** Migrations that build indexes while other processes write, and the rule that new ones do. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import type pg from 'pg';
import { buildIndex, readIndexBuilds } from '../../src/platform/postgres/concurrent-indexes.ts';
import { migrate } from '../../src/platform/postgres/migrate.ts';
import { eventually } from '../harness/eventually.ts';
import { createTestDatabase, type TestDatabase } from '../harness/postgres.ts';
import { sql } from '../harness/rows.ts';
import { scratchFolder } from '../harness/scratch-folder.ts';

const published = path.resolve(import.meta.dirname, '../../migrations');

// They are published: a database remembers their digests.
const lastBeforeTheRule = '000034';

/** Builds of indexes that block writes of a table which may have rows. */
function blockingBuilds(text: string): string[] {
  const code = text.replaceAll(/--.*$/gm, '');
  const created = new Set([...code.matchAll(/\bCREATE TABLE (\w+)/g)].map(([, table]) => table));
  const builds = [
    ...code.matchAll(/\bCREATE (?:UNIQUE )?INDEX (?!CONCURRENTLY\b)[^;]*?\bON (\w+)[^;]*/g),
    ...code.matchAll(/\bALTER TABLE (\w+)[^;]*\b(?:UNIQUE|PRIMARY KEY|EXCLUDE)\b[^;]*/g),
  ];
  return builds
    .filter(([statement, table]) => !created.has(table) && !statement.includes(' USING INDEX '))
    .map(([statement]) => statement);
}

describe('migrations › build indexes without blocking writes', () => {
  const files = globSync('*.sql', { cwd: published }).toSorted();

  for (const file of files.filter((name) => name.slice(0, 6) > lastBeforeTheRule)) {
    it(file, () => {
      const text = readFileSync(path.join(published, file), 'utf8');
      assert.deepEqual(blockingBuilds(text), [], 'use CREATE INDEX CONCURRENTLY IF NOT EXISTS');
      readIndexBuilds(text);
    });
  }

  it('the rule finds builds on existing tables, and allows those of new ones', () => {
    const blocking = [
      'CREATE INDEX a ON bookings (b)',
      'CREATE UNIQUE INDEX a\n  ON bookings (b)',
      'ALTER TABLE bookings ADD COLUMN c int, ADD UNIQUE (c)',
      'ALTER TABLE bookings ADD CONSTRAINT c EXCLUDE USING gist (d WITH =)',
    ];
    for (const statement of blocking)
      assert.deepEqual(blockingBuilds(`${statement};`), [statement]);
    const allowed = [
      '-- CREATE INDEX a ON bookings (b);',
      'CREATE INDEX CONCURRENTLY IF NOT EXISTS a ON bookings (b);',
      'CREATE TABLE t (u int PRIMARY KEY); CREATE INDEX a ON t (u); ALTER TABLE t ADD UNIQUE (u);',
      'ALTER TABLE bookings ADD COLUMN c int;',
      'ALTER TABLE bookings ADD CONSTRAINT a UNIQUE USING INDEX a;',
    ];
    for (const text of allowed) assert.deepEqual(blockingBuilds(text), []);
  });

  it('a file with other statements beside concurrent builds is refused', () => {
    const one = 'CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS a ON b (c)';
    assert.equal(readIndexBuilds('ALTER TABLE b ADD COLUMN c int; -- not CONCURRENTLY'), null);
    assert.deepEqual(readIndexBuilds(`-- c\n${one};`), [{ index: 'a', statement: one }]);
    const other = ['ALTER TABLE b ADD COLUMN c int', 'CREATE INDEX CONCURRENTLY a ON b (c)'];
    for (const statement of other) {
      assert.throws(() => readIndexBuilds(`${one}; ${statement};`), /has only CREATE INDEX/);
    }
  });
});

describe('migrations › a concurrent build', () => {
  const later = '999999_later.sql';
  const building = `SELECT pid FROM pg_stat_activity WHERE datname = current_database()
    AND query LIKE 'CREATE INDEX CONCURRENTLY%' AND state = 'active'`;
  const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database()
    AND query LIKE '%pg_try_advisory_lock%' AND state = 'idle'`;
  const states = `SELECT indexrelid::regclass::text AS index, indisvalid AS valid FROM pg_index
    WHERE indexrelid::regclass::text LIKE 'later_%' ORDER BY 1`;

  let test: TestDatabase;
  let folder: string;
  let migrations: URL;
  let client: pg.Client;

  before(async () => {
    test = await createTestDatabase();
    client = await test.database.connect();
    folder = await mkdtemp(path.join(scratchFolder, 'latchkey-migrations-'));
    migrations = pathToFileURL(`${folder}/`);
    await cp(published, folder, { recursive: true });
    await writeFile(
      path.join(folder, later),
      `CREATE INDEX CONCURRENTLY IF NOT EXISTS later_first ON staff_members (email);
      CREATE INDEX CONCURRENTLY IF NOT EXISTS later_second ON request_log (status);`,
    );
  });
  after(async () => {
    await client.end();
    await rm(folder, { recursive: true });
    await test.drop();
  });

  it('that was killed is repaired by the next process, and only one builds while others write', async () => {
    const { database } = test;
    // A call that is being logged: the build waits until it is committed.
    await client.query('BEGIN; LOCK TABLE request_log IN ROW EXCLUSIVE MODE');
    const killed = assert.rejects(migrate(database, { folder: migrations }));
    await eventually(async () => (await sql(database, states)).length === 2);
    const next = migrate(database, { folder: migrations });
    await eventually(async () => (await sql(database, waiting)).length > 0);
    const builders = await sql<{ pid: number }>(database, building);
    assert.equal(builders.length, 1);

    const writer = await database.connect();
    await writer.query(`SET lock_timeout = '2s'`);
    await writer.query('BEGIN; LOCK TABLE request_log IN ROW EXCLUSIVE MODE; ROLLBACK');
    await writer.end();

    await sql(database, 'SELECT pg_terminate_backend($1)', [builders[0]!.pid]);
    await killed;
    assert.deepEqual(await sql(database, states), [
      { index: 'later_first', valid: true },
      { index: 'later_second', valid: false },
    ]);
    await client.query('COMMIT');
    assert.deepEqual(await next, [later]);
    assert.deepEqual(await sql(database, states), [
      { index: 'later_first', valid: true },
      { index: 'later_second', valid: true },
    ]);
    assert.deepEqual(await migrate(database, { folder: migrations }), []);
  });

  it('that fails leaves nothing', async () => {
    const statement = `CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS later_unique ON listings ((true))`;
    await assert.rejects(buildIndex(client, { index: 'later_unique', statement }), /later_unique/);
    const [left] = await sql(test.database, `SELECT to_regclass('later_unique') AS index`);
    assert.equal(left?.['index'], null);
  });

  it('replaces blocking ones of migrations that databases have already applied', async () => {
    const name = '000033_funnel.sql';
    const setDigest = (digest: string) =>
      sql(test.database, 'UPDATE schema_migrations SET digest = $2 WHERE name = $1', [
        name,
        digest,
      ]);
    await setDigest('bd5887fa523d324dcdff5b417d35fbd41abe35f4d6eb7f6384bf8cefe3a2d023');
    await migrate(test.database, { folder: migrations });
    await setDigest('0'.repeat(64));
    await assert.rejects(
      migrate(test.database, { folder: migrations }),
      /000033_funnel\.sql has changed/,
    );
  });
});

describe('migrations › behind a long reader', () => {
  let test: TestDatabase;
  let folder: string;
  let migrations: URL;

  before(async () => {
    test = await createTestDatabase();
    folder = await mkdtemp(path.join(scratchFolder, 'latchkey-migrations-'));
    migrations = pathToFileURL(`${folder}/`);
    await cp(published, folder, { recursive: true });
    await writeFile(
      path.join(folder, '999999_later.sql'),
      'ALTER TABLE applications ADD COLUMN later integer; ALTER TABLE listings ADD COLUMN later integer;',
    );
  });
  after(async () => {
    await rm(folder, { recursive: true });
    await test.drop();
  });

  it('try again and again, while others read and write, and name who holds the table', async () => {
    const { database } = test;
    // As pg_dump does: a lock on every table, in one transaction.
    const dump = await database.connect();
    await dump.query(`SET application_name = 'a dump'; BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
      LOCK TABLE listings IN ACCESS SHARE MODE`);
    const waits: object[] = [];
    const migrated = migrate(database, {
      folder: migrations,
      log: (_message, details) => waits.push(details),
    });
    // More calls than fit between two tries, so that some arrive while a try waits for its lock.
    let calls = 0;
    while (waits.length < 3) {
      await sql(database, 'SELECT count(*) FROM listings');
      await sql(database, 'UPDATE listings SET name = name');
      await sql(database, 'UPDATE applications SET name = name');
      calls += 1;
    }
    assert.ok(calls > 3);
    assert.partialDeepStrictEqual(waits[0], {
      migration: '999999_later.sql',
      sessions: [{ application: 'a dump' }],
    });
    await dump.end();
    assert.deepEqual(await migrated, ['999999_later.sql']);
    await sql(database, 'SELECT later FROM listings JOIN applications USING (later)');
  });

  it('build indexes whatever lock timeout the database has', async () => {
    const { database } = test;
    const later = '999999b_index.sql';
    await writeFile(
      path.join(folder, later),
      'CREATE INDEX CONCURRENTLY IF NOT EXISTS later_index ON listings (later);',
    );
    await sql(
      database,
      `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET lock_timeout = 100', current_database()); END $$`,
    );
    const writer = await database.connect();
    await writer.query('BEGIN; UPDATE listings SET name = name');
    const migrated = migrate(database, { folder: migrations });
    await eventually(async () => {
      const building = `SELECT FROM pg_stat_activity WHERE datname = current_database()
        AND query LIKE 'CREATE INDEX CONCURRENTLY%' AND wait_event_type = 'Lock'
        AND now() - query_start > interval '300 milliseconds'`;
      return (await sql(database, building)).length > 0;
    });
    await writer.query('COMMIT');
    await writer.end();
    assert.deepEqual(await migrated, [later]);
  });
});
