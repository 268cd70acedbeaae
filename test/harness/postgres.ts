import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { Connection } from '../../src/platform/postgres/connecting.ts';
import {
  defaultPoolLimits,
  openDatabase,
  type Database,
} from '../../src/platform/postgres/database.ts';
import { openVault } from '../../src/platform/vault.ts';

/** The key of every test database. */
export const testMasterKey = Buffer.alloc(32, 7);

/** The database that the databases of the tests are cloned from. */
export const templateName = 'latchkey_template';

/** The PostgreSQL that `npm test` has started. */
export function testConnection(): Connection & { host: string } {
  const text = process.env['LATCHKEY_TEST_POSTGRES'];
  if (!text) throw new Error('run the tests with: npm test -- FILE …');
  return JSON.parse(text) as Connection & { host: string };
}

let admin: pg.Pool | undefined;

/**
 * The longest time of a statement that creates, renames or drops a database. `DROP DATABASE` waits for every backend of
 * the server, also for one of another test that waits for its client to read.
 */
export const adminStatementMs = 60_000;

// One connection for all files of a process, which does not keep it from ending.
function openAdmin(): pg.Pool {
  const limits = { max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true };
  const pool = new pg.Pool({ ...testConnection(), ...limits, statement_timeout: adminStatementMs });
  // The process that stops PostgreSQL may have such a connection.
  return pool.on('error', () => undefined);
}

/** What the backends of the server are doing, for the message of a statement that they delay. */
async function activity(pool: Pick<pg.Pool, 'query'>): Promise<string> {
  const { rows } = await pool.query(
    `SELECT pid, datname, state, wait_event_type, wait_event, left(query, 80) AS query FROM pg_stat_activity
      WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`,
  );
  return JSON.stringify(rows);
}

/** Runs a statement as the role of the tests. Throws with what the backends are doing. */
export async function runAsAdmin(
  pool: Pick<pg.Pool, 'query'>,
  statement: string,
  values: unknown[] = [],
): Promise<void> {
  try {
    await pool.query(statement, values);
  } catch (error) {
    const { message } = error as Error;
    throw new Error(`${statement}: ${message}; ${await activity(pool)}`, { cause: error });
  }
}

async function asAdmin(statement: string, values: unknown[] = []): Promise<void> {
  admin ??= openAdmin();
  await runAsAdmin(admin, statement, values);
}

/** A database of one's own. */
export interface TestDatabase {
  connection: Connection;
  database: Database;
  drop(): Promise<void>;
}

/** Clones a template; ours is migrated, and seeded with the simulated catalog. */
export async function createTestDatabase(
  connections = 10,
  template = templateName,
): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await asAdmin(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
  const connection = { ...testConnection(), database: name } as Connection;
  const vault = openVault(testMasterKey);
  const limits = { ...defaultPoolLimits, connections };
  const database = openDatabase(connection, vault, limits, () => undefined);
  return {
    connection,
    database,
    async drop() {
      await database.close();
      // `WITH (FORCE)` is refused while an autovacuum worker is in the database: it has no role that ours
      // could end. A plain DROP ends such a worker itself, so only our own connections are ended first.
      await asAdmin(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND usename = current_user',
        [name],
      );
      await asAdmin(`DROP DATABASE ${name}`);
    },
  };
}
