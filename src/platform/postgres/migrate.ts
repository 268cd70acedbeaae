import type { StartLog } from '../log.ts';
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { buildIndex, readIndexBuilds } from './concurrent-indexes.ts';
import type { Database } from './database.ts';
import { isLockTimeout, isRetriable } from './database-errors.ts';

// An arbitrary fixed ID of the advisory lock that a migrating process holds. Versions without concurrent builds
// wait for 4702615328 in a statement. A build waits for every statement, so the two would wait for each other.
const lockId = 4_702_615_329;
const lockPollMs = 100;
const oldestServer = 180_000;

// While a migration waits for a table, every call that reads it waits behind it. So each try waits briefly, and
// leaves the calls more time than it took from them.
const lockTimeoutMs = 300;
const lockPauseMs = 1_000;
const published = new URL('../../../migrations/', import.meta.url);

// Digests of earlier texts of migrations, whose indexes are now built concurrently by a later one.
const formerDigests: Readonly<Record<string, string>> = {
  '000031_portal_details.sql': '65460c332f52ef862c7b99732028b66b632e0c5980ab75d041b991e93252eeda',
  '000032_pictures.sql': '606677050a704889649899d88b036dda947343984dabf3bf0680289c0e7ebdbd',
  '000033_funnel.sql': 'bd5887fa523d324dcdff5b417d35fbd41abe35f4d6eb7f6384bf8cefe3a2d023',
};

// Migrations whose text was mended after their publication, because it failed on the data of an earlier release.
// A database keeps the digest of the published text: versions of before and after know it.
const mendedDigests: Readonly<Record<string, string>> = {
  '000012_inventory.sql': '8e05be577b4b237ae27875bef83d5976b4e45ab7f987f5d644e0fd052a6ae4e5',
};

/** The database cannot be migrated to this version's schema. */
export class MigrationError extends Error {}

interface Migration {
  name: string;
  sql: string;
  digest: string;
}

async function migrationsIn(folder: URL): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(new URL(name, folder), 'utf8');
      const digest = mendedDigests[name] ?? createHash('sha256').update(sql).digest('hex');
      return { name, sql, digest };
    }),
  );
}

/**
 * Applies the missing migrations, one process at a time. Several processes can call it at once.
 * Throws `MigrationError` on a server before 18, a database of a newer version, or missing privileges.
 *
 * @param options.log receives a migration that waits for a table, with the sessions that use the database for long
 */
export async function migrate(
  database: Database,
  { folder = published, log = () => undefined }: { folder?: URL; log?: StartLog } = {},
): Promise<string[]> {
  const client = await database.connect();
  try {
    await checkServer(client);
    while (!(await tryLock(client))) await sleep(lockPollMs);
    return await applyMissing(client, await migrationsIn(folder), log);
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

/** Does not wait within the statement: an index that another process builds concurrently would wait for its end. */
async function tryLock(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(
    'SELECT pg_try_advisory_lock($1) AS locked',
    [lockId],
  );
  return rows[0]!.locked;
}

async function applyMissing(
  client: pg.Client,
  known: Migration[],
  log: StartLog,
): Promise<string[]> {
  await client.query(`CREATE TABLE IF NOT EXISTS schema_migrations (
    name text PRIMARY KEY, digest text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`);
  const { rows } = await client.query<{ name: string; digest: string }>(
    'SELECT name, digest FROM schema_migrations ORDER BY name',
  );
  checkApplied(known, rows);
  const missing = known.slice(rows.length);
  for (const migration of missing) await apply(client, migration, log);
  if (missing.length > 0) await followLine(client, log);
  return missing.map(({ name }) => name);
}

function checkApplied(known: Migration[], applied: { name: string; digest: string }[]): void {
  for (const [index, row] of applied.entries()) {
    const migration = known[index];
    if (migration?.name !== row.name) {
      throw new MigrationError(
        `The database holds the migration ${row.name}, which this version does not have: it was made by a newer version.`,
      );
    }
    if (migration.digest !== row.digest && formerDigests[row.name] !== row.digest) {
      throw new MigrationError(`The migration ${row.name} has changed since it was applied.`);
    }
  }
}

/** Sessions that may hold the lock: those whose transaction is older than a try. */
const holdersText = `SELECT pid, application_name AS application, state,
    extract(epoch FROM now() - xact_start)::int AS "openForSeconds"
  FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid()
    AND xact_start < now() - make_interval(secs => $1)
  ORDER BY xact_start LIMIT 5`;

/** A change that waits for a table only briefly, and is tried again. */
interface Step {
  name: string;
  run(): Promise<unknown>;
}

async function inTransaction(client: pg.Client, { run }: Step): Promise<void> {
  await client.query(`BEGIN; SET LOCAL lock_timeout = ${lockTimeoutMs}`);
  await run();
  await client.query('COMMIT');
}

/** Repeats a step that gets no lock in time, or ends in a deadlock with calls, until it is applied. */
async function applyPatiently(client: pg.Client, step: Step, log: StartLog): Promise<void> {
  for (;;) {
    try {
      return await inTransaction(client, step);
    } catch (error) {
      if (!isLockTimeout(error) && !isRetriable(error)) throw error;
      await client.query('ROLLBACK');
      const { rows } = await client.query(holdersText, [lockTimeoutMs / 1_000]);
      const details = { migration: step.name, sessions: rows };
      log('a migration waits for a table that others use', details);
      await sleep(lockPauseMs);
    }
  }
}

async function apply(client: pg.Client, migration: Migration, log: StartLog): Promise<void> {
  const builds = readIndexBuilds(migration.sql);
  if (!builds) {
    const run = async (): Promise<void> => {
      await client.query(migration.sql);
      await record(client, migration);
    };
    return applyPatiently(client, { name: migration.name, run }, log);
  }
  // A concurrent build waits for the transactions of others, and nobody waits for it.
  await client.query('SET lock_timeout = 0');
  for (const build of builds) await buildIndex(client, build);
  return record(client, migration);
}

// The record of migrations is older than the function.
const defaultsText = `SELECT format('ALTER TABLE %I ', table_name)
      || string_agg(format('ALTER COLUMN %I SET DEFAULT %s', column_name,
        regexp_replace(column_default, '\\mnow\\(\\)', 'line_now()', 'g')), ', ' ORDER BY column_name) AS text,
    table_name AS name
  FROM information_schema.columns
  WHERE table_schema = current_schema() AND column_default ~ '\\mnow\\(\\)' AND table_name <> 'schema_migrations'
  GROUP BY table_name ORDER BY table_name`;

/** Makes each column that defaults to `now()` follow the line while the clock of the server is not believed. */
async function followLine(client: pg.Client, log: StartLog): Promise<void> {
  const { rows: known } = await client.query(
    `SELECT FROM pg_proc WHERE proname = 'line_now' AND pronamespace = current_schema()::regnamespace`,
  );
  // A test migrates with other files.
  if (known.length === 0) return;
  const { rows } = await client.query<{ name: string; text: string }>(defaultsText);
  for (const { name, text } of rows) {
    await applyPatiently(client, { name, run: () => client.query(text) }, log);
  }
}

async function record(client: pg.Client, { name, digest }: Migration): Promise<void> {
  await client.query('INSERT INTO schema_migrations (name, digest) VALUES ($1, $2)', [
    name,
    digest,
  ]);
}
