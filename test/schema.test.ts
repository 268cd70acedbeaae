/** `schema.sql`, which people read and reviews compare, is what the migrations make. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import type pg from 'pg';
import { dumpSchema, SchemaDumpError } from '../src/platform/postgres/schema-dump.ts';
import { createTestDatabase, type TestDatabase } from './harness/postgres.ts';

const committed = await readFile(new URL('../schema.sql', import.meta.url), 'utf8');

describe('schema.sql', () => {
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

  it('is what the migrations make, and the same on every machine', async () => {
    assert.equal(await dumpSchema(migrated.database), committed, 'refresh it: npm run generate');
  });

  // PostgreSQL reads each CHECK anew for each statement: see the record of rules as functions.
  it('holds the rules of what each booking writes in one function a table', async () => {
    const text = `SELECT conrelid::regclass::text AS table, conname AS name,
        pg_get_constraintdef(oid) ~ '^CHECK \\(\\(?[a-z_]+_is_sound\\([a-z_]+\\.\\*\\)\\)?\\)' AS calls
      FROM pg_constraint WHERE contype = 'c' AND conrelid = ANY ($1::regclass[]) ORDER BY conrelid::regclass::text`;
    const tables = [
      'bookings',
      'occupancies',
      'payment_entries',
      'payment_intents',
      'reservations',
    ];
    const { rows } = await client.query<{ table: string; name: string; calls: boolean }>(text, [
      tables,
    ]);
    assert.deepEqual(
      rows,
      tables.map((table) => ({ table, name: `${table}_sound`, calls: true })),
    );
  });

  it('misses no kind of object without saying so', async () => {
    for (const statement of [
      'CREATE VIEW v AS SELECT 1 AS one',
      'CREATE SEQUENCE s',
      "CREATE TYPE e AS ENUM ('one')",
      'CREATE DOMAIN d AS text',
      'CREATE TABLE p (id int) PARTITION BY RANGE (id)',
      'CREATE POLICY nobody ON listings USING (false)',
    ]) {
      await client.query('BEGIN');
      await client.query(statement);
      const executor = {
        vault: migrated.database.vault,
        query: async <R>({ text }: { text: string }) => (await client.query(text)).rows as R[],
      };
      await assert.rejects(dumpSchema(executor), SchemaDumpError, statement);
      await client.query('ROLLBACK');
    }
  });

  it('makes the same schema of an empty database', async () => {
    await client.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
    await client.query(committed);
    assert.equal(await dumpSchema(migrated.database), committed);
  });
});
