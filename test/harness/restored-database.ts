/** A test database that is put back as a backup had it, under the same name. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { Connection } from '../../src/platform/postgres/connecting.ts';
import type { Database } from '../../src/platform/postgres/database.ts';
import { adminStatementMs, runAsAdmin, testConnection } from './postgres.ts';
import { sql } from './rows.ts';

/** Copies of one database. */
export interface Backups {
  /** Copies the database as it is now, and ends its connections. */
  make(): Promise<void>;
  /** The connection to the copy, before it is restored. */
  copy: Connection;
  /** Replaces the database by the copy. */
  restore(): Promise<void>;
  clear(): Promise<void>;
}

/** Backups of a test database, whose pool connects again by itself. */
export async function backupsOf(database: Database): Promise<Backups> {
  const admin = new pg.Client({
    ...(testConnection() as pg.ClientConfig),
    statement_timeout: adminStatementMs,
  });
  await admin.connect();
  const [row] = await sql<{ name: string }>(database, 'SELECT current_database()::text AS name');
  const { name } = row!;
  const [copy, lost] = [randomBytes(6), randomBytes(6)].map((id) => `test_${id.toString('hex')}`);

  /** Repeats what fails while somebody is still connected. */
  async function alone(of: string, statement: string): Promise<void> {
    const end = performance.now() + adminStatementMs;
    for (;;) {
      await admin.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND usename = current_user',
        [of],
      );
      try {
        return await runAsAdmin(admin, statement);
      } catch (error) {
        if (performance.now() > end) throw error;
      }
    }
  }

  return {
    make: () => alone(name, `CREATE DATABASE ${copy} TEMPLATE ${name} STRATEGY FILE_COPY`),
    copy: { ...testConnection(), database: copy } as Connection,
    async restore() {
      await alone(name, `ALTER DATABASE ${name} RENAME TO ${lost}`);
      await alone(copy!, `ALTER DATABASE ${copy} RENAME TO ${name}`);
    },
    async clear() {
      try {
        await runAsAdmin(admin, `DROP DATABASE IF EXISTS ${copy}`);
        await runAsAdmin(admin, `DROP DATABASE IF EXISTS ${lost}`);
      } finally {
        await admin.end();
      }
    },
  };
}
