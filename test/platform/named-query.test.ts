/** Named statements on one connection of the driver. */
import assert from 'node:assert/strict';
import type { EventEmitter } from 'node:events';
import { after, before, suite, test } from 'node:test';
import type pg from 'pg';
import { NamedQuery } from '../../src/platform/postgres/named-query.ts';
import { createTestDatabase, type TestDatabase } from '../harness/postgres.ts';

const everyType = `SELECT $1::integer AS whole, $2::bigint AS large, $3::text AS text, $4::boolean AS is_so,
  $5::timestamptz AS at, $6::date AS day, $7::jsonb AS document, $8::bytea AS bytes, $9::text[] AS texts,
  $10::uuid AS id, NULL::integer AS nothing`;

const values = [
  -7,
  '9007199254740993',
  'Ünïcode "quoted"',
  true,
  '2026-11-27T10:00:00.123Z',
  '2026-11-27',
  { a: [1, null] },
  Buffer.from([0, 255]),
  ['one', 'two, three'],
  '8f0f6d0e-6d3d-4c8e-8d0f-0c8a6a4b2f11',
];

suite('named queries', () => {
  let database: TestDatabase;
  let client: pg.Client;
  let described = 0;

  before(async () => {
    database = await createTestDatabase();
    client = await database.database.connect();
    const { connection } = client as unknown as { connection: EventEmitter };
    connection.on('rowDescription', () => {
      described += 1;
    });
  });
  after(async () => {
    await client.end();
    await database.drop();
  });

  const ask = (name: string, text: string, given: readonly unknown[] = []) =>
    new Promise<readonly object[]>((resolve, reject) => {
      const answered = (error: Error | null | undefined, rows: readonly object[]): void =>
        error ? reject(error) : resolve(rows);
      client.query(new NamedQuery({ name, text, values: given }, client, answered));
    });

  test('rows are those of the driver, for every type', async () => {
    const { rows } = await client.query({ text: everyType, values });
    assert.deepEqual(await ask('every-type', everyType, values), rows);
    assert.deepEqual(await ask('every-type', everyType, values), rows);
  });

  test('columns are described once, and every value is read each time', async () => {
    const text = `SELECT n, CASE WHEN n % 2 = 0 THEN 'even' END AS kind FROM generate_series(1, $1::integer) n`;
    const describedBefore = described;
    const sizes = [];
    for (const most of [3, 0, 2]) sizes.push((await ask('series', text, [most])).length);
    assert.deepEqual(sizes, [3, 0, 2]);
    assert.deepEqual(await ask('series', text, [2]), [
      { n: 1, kind: null },
      { n: 2, kind: 'even' },
    ]);
    assert.equal(described - describedBefore, 1);
  });

  test('a statement without rows has none', async () => {
    assert.deepEqual(await ask('no-rows', `CREATE TEMPORARY TABLE kept (n integer)`), []);
    assert.deepEqual(await ask('writes', 'INSERT INTO kept VALUES ($1)', [1]), []);
    assert.deepEqual(await ask('writes', 'INSERT INTO kept VALUES ($1)', [2]), []);
    assert.deepEqual(await ask('reads', 'SELECT sum(n)::integer AS sum FROM kept'), [{ sum: 3 }]);
  });

  test('a statement that fails says why, and works the next time', async () => {
    const text = 'SELECT 6 / $1::integer AS part';
    for (const given of [3, 0, 2]) {
      const outcome = ask('part', text, [given]);
      if (given === 0) await assert.rejects(outcome, { code: '22012' });
      else assert.deepEqual(await outcome, [{ part: 6 / given }]);
    }
    await assert.rejects(ask('wrong', 'SELECT nothing FROM nowhere'), { code: '42P01' });
    assert.deepEqual(await ask('right', 'SELECT 1 AS one'), [{ one: 1 }]);
  });

  test('a value that cannot be written rejects, and the connection stays usable', async () => {
    const endless: { self?: object } = {};
    endless.self = endless;
    await assert.rejects(ask('endless', 'SELECT $1::jsonb AS document', [endless]), Error);
    assert.deepEqual(await ask('after', 'SELECT 1 AS one'), [{ one: 1 }]);
  });
});
