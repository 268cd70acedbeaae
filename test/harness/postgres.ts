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

// One connection for all files of a process, which does not keep it from ending.
function openAdmin(): pg.Pool {
  const limits = { max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true };
  const pool = new pg.Pool({ ...testConnection(), ...limits });
  // The process that stops PostgreSQL may have such a connection.
  return pool.on('error', () => undefined);
}

async function asAdmin(statement: string, values: unknown[] = []): Promise<void> {
  admin ??= openAdmin();
  await admin.query(statement, values);
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
