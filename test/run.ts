/** Runs the tests: one PostgreSQL for all of them, a template that each file clones. */
import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { defaultPoolLimits, openDatabase } from '../src/db/database.ts';
import { startEmbeddedPostgres } from '../src/db/embedded/index.ts';
import { checkInstallation } from '../src/db/installation.ts';
import { migrate } from '../src/db/migrate.ts';
import { openVault } from '../src/db/vault.ts';
import { seedSimulation } from '../src/supply/index.ts';
import { buildConsoleIfStale } from './harness/built-console.ts';
import { templateName, testMasterKey } from './harness/postgres.ts';

buildConsoleIfStale();
const dataDir = await mkdtemp(path.join(tmpdir(), 'latchkey-test-'));
const postgres = await startEmbeddedPostgres({ dataDir, log: () => undefined });

async function makeTemplate(): Promise<void> {
  const client = new pg.Client(postgres.connection);
  await client.connect();
  await client.query(`CREATE DATABASE ${templateName}`);
  await client.end();
  const connection = { ...postgres.connection, database: templateName };
  const vault = openVault(testMasterKey);
  const database = openDatabase(connection, vault, defaultPoolLimits, () => undefined);
  await migrate(database);
  await checkInstallation(database, 'simulation');
  await seedSimulation(database);
  await database.close();
}

function runTests(files: string[]): Promise<number> {
  const reporter = process.env['CI'] ? 'spec' : 'dot';
  const concurrency = Math.max(1, availableParallelism());
  const child = spawn(
    process.execPath,
    [
      '--test',
      `--test-reporter=${process.env['LATCHKEY_TEST_REPORTER'] ?? reporter}`,
      `--test-concurrency=${concurrency}`,
      '--test-timeout=300000',
      ...files,
    ],
    {
      stdio: 'inherit',
      env: { ...process.env, LATCHKEY_TEST_POSTGRES: JSON.stringify(postgres.connection) },
    },
  );
  // Whoever stops the run stops the tests; PostgreSQL is stopped when they have ended.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => child.kill(signal));
  }
  return new Promise((resolve) => child.on('exit', (code) => resolve(code ?? 1)));
}

const named = process.argv.slice(2);
const files = named.length > 0 ? named : globSync('test/**/*.test.ts').toSorted();
let code = 1;
try {
  await makeTemplate();
  code = await runTests(files);
} finally {
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}
process.exit(code);
