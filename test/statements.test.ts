/** `statements.sql`, which people read and reviews compare, is what the modules send. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import type pg from 'pg';
import { createTestDatabase, type TestDatabase } from './harness/postgres.ts';

const project = path.resolve(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(path.join(project, file), 'utf8');
const committed = read('statements.sql');
const sections = new Map(
  committed.split(/^-- (?=src\/)/m).map((section) => [section.split('\n', 1)[0]!, section]),
);

const literal = /\bname: '([a-z-]+)',\s+(?:variant\b[^\n]*\s+)?(?:\/\/[^\n]*\s+)*text\b/g;

describe('statements.sql', () => {
  let migrated: TestDatabase;
  let client: pg.Client;

  before(async () => {
    migrated = await createTestDatabase();
    client = await migrated.database.connect();
  });
  after(async () => {
    await client.end();
    await migrated.drop();
  });

  it('can be prepared as a whole', async () => {
    await client.query(committed);
    const { rows } = await client.query<{ name: string }>(
      'SELECT name FROM pg_prepared_statements',
    );
    const names = [...committed.matchAll(/^PREPARE "(.+)" AS$/gm)].map(([, name]) => name!);
    assert.deepEqual(rows.map(({ name }) => name).toSorted(), names.toSorted());
  });

  it('has every statement that a module names', () => {
    const files = globSync('src/**/*.ts', { cwd: project }).filter(
      (file) => !/[.]test[.]ts$|^src\/(?:contract|build)\//.test(file),
    );
    const missing = files.flatMap((file) =>
      [...read(file).matchAll(literal)]
        .map(([, name]) => name!)
        .filter(
          (name) => !new RegExp(`^(?:PREPARE "|-- )${name}\\b`, 'm').test(sections.get(file) ?? ''),
        )
        .map((name) => `${name} of ${file}`),
    );
    assert.deepEqual(missing, []);
  });
});
