import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import pg from 'pg';
import type { Database } from './database.ts';

// An arbitrary fixed ID of the advisory lock that a migrating process holds.
const lockId = 4_702_615_328;
const oldestServer = 180_000;
const folder = new URL('../../../migrations/', import.meta.url);

/** The database cannot be migrated to this version's schema. */
export class MigrationError extends Error {}

interface Migration {
  name: string;
  sql: string;
  digest: string;
}

async function migrations(): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(new URL(name, folder), 'utf8');
      return { name, sql, digest: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

/**
 * Applies the missing migrations, one process at a time. Several processes can call it at once.
 * Throws `MigrationError` on a server before 18, a database of a newer version, or missing privileges.
 */
export async function migrate(database: Database): Promise<string[]> {
  const client = await database.connect();
  try {
    await checkServer(client);
    await client.query('SELECT pg_advisory_lock($1)', [lockId]);
    return await applyMissing(client);
  } catch (error) {
    throw asMigrationError(error);
  } finally {
    await client.end();
  }
}

/** Translates an error of PostgreSQL for the operator: usually the role may not create tables. */
function asMigrationError(error: unknown): unknown {
  if (!(error instanceof pg.DatabaseError)) return error;
  return new MigrationError(
    `The database cannot be brought to the form that this version needs: ${error.message}.`,
    { cause: error },
  );
}

async function checkServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ version: string }>(
    `SELECT current_setting('server_version_num') AS version`,
  );
  if (Number(rows[0]?.version) < oldestServer) {
    throw new MigrationError('Latchkey needs PostgreSQL 18 or later.');
  }
}

async function applyMissing(client: pg.Client): Promise<string[]> {
  await client.query(`CREATE TABLE IF NOT EXISTS schema_migrations (
    name text PRIMARY KEY, digest text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`);
  const { rows } = await client.query<{ name: string; digest: string }>(
    'SELECT name, digest FROM schema_migrations ORDER BY name',
  );
  const known = await migrations();
  checkApplied(known, rows);
  const missing = known.slice(rows.length);
  for (const migration of missing) await apply(client, migration);
  return missing.map(({ name }) => name);
}

function checkApplied(known: Migration[], applied: { name: string; digest: string }[]): void {
  for (const [place, row] of applied.entries()) {
    const migration = known[place];
    if (migration?.name !== row.name) {
      throw new MigrationError(
        `The database holds the migration ${row.name}, which this version does not have: it was made by a newer version.`,
      );
    }
    if (migration.digest !== row.digest) {
      throw new MigrationError(`The migration ${row.name} has changed since it was applied.`);
    }
  }
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  await client.query('BEGIN');
  await client.query(migration.sql);
  await client.query('INSERT INTO schema_migrations (name, digest) VALUES ($1, $2)', [
    migration.name,
    migration.digest,
  ]);
  await client.query('COMMIT');
}
