import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import type { Connection } from '../../src/platform/postgres/connecting.ts';
import { defaultPoolLimits, openDatabase } from '../../src/platform/postgres/database.ts';
import { startEmbeddedPostgres } from '../../src/platform/embedded-postgres/index.ts';
import { checkInstallation } from '../../src/platform/postgres/installation.ts';
import { migrate } from '../../src/platform/postgres/migrate.ts';
import { openVault } from '../../src/platform/vault.ts';
import { seedSimulation } from '../../src/simulation/seed.ts';
import { templateName, testMasterKey } from './postgres.ts';
import { scratchFolder } from './scratch-folder.ts';

/** Nobody needs these databases after a crash of the machine. Tests about durability start a PostgreSQL of their own. */
async function doNotWaitForDisk(dataDir: string): Promise<void> {
  const folder = path.join(dataDir, 'postgres');
  await appendFile(path.join(folder, 'postgresql.conf'), 'fsync = off\nfull_page_writes = off\n');
  const pid = Number.parseInt(await readFile(path.join(folder, 'postmaster.pid'), 'utf8'), 10);
  process.kill(pid, 'SIGHUP');
}

async function makeTemplate(server: Connection): Promise<void> {
  const client = new pg.Client(server);
  await client.connect();
  await client.query(`CREATE DATABASE ${templateName}`);
  await client.end();
  const connection = { ...server, database: templateName } as Connection;
  const vault = openVault(testMasterKey);
  const database = openDatabase(connection, vault, defaultPoolLimits, () => undefined);
  await migrate(database);
  await checkInstallation(database, 'simulation');
  await seedSimulation(database);
  await database.close();
}

/** Lends a PostgreSQL of its own with the template that tests clone; stops it afterwards. */
export async function withTemplate<T>(use: (connection: Connection) => Promise<T>): Promise<T> {
  const dataDir = await mkdtemp(path.join(scratchFolder, 'latchkey-test-'));
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => undefined });
  try {
    await doNotWaitForDisk(dataDir);
    await makeTemplate(postgres.connection);
    return await use(postgres.connection);
  } finally {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}
