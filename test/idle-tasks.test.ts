/** What background tasks read when nothing is due: some rows, however many there are. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import { emptyContent, fillDatabase } from '../bench/fill.ts';
import { backgroundTasks } from '../src/program/background-tasks.ts';
import { createTestDatabase, type TestDatabase } from './harness/postgres.ts';
import { sql } from './harness/rows.ts';
import { type Part, rowsTouched } from './harness/rows-touched.ts';

const applicationId = randomUUID();
const bookings = 5_000;

const register = `WITH a AS (INSERT INTO applications (application_id, name, settlement, grants, read_per_minute,
    search_per_minute, write_per_minute, signal_per_minute, catalog_id)
  SELECT $1, 'a test', 'partner', '{}', 1, 1, 1, 1, catalog_id FROM catalogs RETURNING application_id)
  INSERT INTO event_counters SELECT application_id FROM a`;

// Of each application two entries are as old as they can be removed, and the newer one stays; another is young.
const fillEntries = `INSERT INTO application_changes
    (application_id, sequence, run, changed_at, kind, catalog_id, catalog_sequence)
  SELECT application_id, n, n, now() - make_interval(days => 60 - 20 * n), CASE WHEN n > 0 THEN 'rates' END, catalog_id, 0
  FROM (SELECT gen_random_uuid() AS application_id, catalog_id FROM catalogs, generate_series(1, ${bookings})) a,
    generate_series(0, 2) n`;

const fillChanges = `INSERT INTO inventory_changes (catalog_id, sequence, changed_at, kind)
  SELECT gen_random_uuid(), n, now() - make_interval(secs => n), 'rates' FROM generate_series(1, ${bookings}) n`;

const tasks = backgroundTasks.filter(({ removesFiles }) => !removesFiles);

/** Runs a task until nothing is due. */
const finish =
  ({ run, atMost }: (typeof tasks)[number]): Part =>
  async (database) => {
    while ((await run(database, atMost, null as never)) >= atMost);
  };

const once =
  ({ run, atMost }: (typeof tasks)[number]): Part =>
  (database) =>
    run(database, atMost, null as never);

suite('background tasks › nothing is due', () => {
  let clone: TestDatabase;
  before(async () => {
    clone = await createTestDatabase();
    await sql(clone.database, register, [applicationId]);
    const client = await clone.database.connect();
    const quote = { ...emptyContent.quote, charges: '{"currency": "EUR", "total": 1}' };
    await fillDatabase([client], { applicationId, bookings, ...emptyContent, quote });
    for (const text of [fillEntries, fillChanges, 'ANALYZE']) await client.query(text);
    await client.end();
  });
  after(() => clone.drop());

  test('each reads at most a fiftieth of the rows of its table', async () => {
    const parts = Object.fromEntries([
      ...tasks.map((task) => [`finish: ${task.name}`, finish(task)] as const),
      ...tasks.map((task) => [task.name, once(task)] as const),
    ]);
    const rows = await rowsTouched(clone.database, parts, bookings);
    const many = tasks.filter(({ name }) => rows[name]! > bookings / 50);
    assert.deepEqual(
      many.map(({ name }) => [name, rows[name]]),
      [],
    );
    assert.ok(rows['finish: sweep the feed of changes']! >= bookings, 'it had entries to remove');
  });

  test('of the entries of each application, those stay that may have others after them', async () => {
    const task = tasks.find(({ name }) => name === 'sweep the feed of changes');
    await finish(task!)(clone.database, 0);
    const left = await sql(
      clone.database,
      `SELECT sequence, count(*)::integer AS entries FROM application_changes
        WHERE kind = 'rates' GROUP BY sequence ORDER BY sequence`,
    );
    assert.deepEqual(left, [
      { sequence: 1, entries: bookings },
      { sequence: 2, entries: bookings },
    ]);
  });
});
