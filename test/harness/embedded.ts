/** The embedded PostgreSQL of a service that runs as a process, seen from outside. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import {
  defaultPoolLimits,
  openDatabase,
  type Database,
} from '../../src/platform/postgres/database.ts';
import { findRunningPostgres } from '../../src/platform/embedded-postgres/index.ts';
import { openVault } from '../../src/platform/vault.ts';

/** The database of a service that runs on an embedded PostgreSQL, for as long as the work takes. */
export async function withDatabaseOf<T>(
  dataDir: string,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const connection = await findRunningPostgres(dataDir);
  assert.ok(connection, `no PostgreSQL runs in ${dataDir}`);
  const masterKey = await readFile(path.join(dataDir, 'master.key'), 'utf8');
  const vault = openVault(Buffer.from(masterKey, 'base64'));
  const database = openDatabase(connection, vault, defaultPoolLimits, () => undefined);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** The id of the PostgreSQL of a data folder; null: none runs. */
export async function postmasterOf(dataDir: string): Promise<number | null> {
  const file = path.join(dataDir, 'postgres/postmaster.pid');
  const text = await readFile(file, 'utf8').catch(() => '');
  const pid = Number.parseInt(text, 10);
  return pid > 0 && isRunning(pid) ? pid : null;
}

/** Whether a process with this id runs. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
