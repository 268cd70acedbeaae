/** Runs the tests: one PostgreSQL for all of them, a template that each file clones. */
import { spawn } from 'node:child_process';
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import type { Connection } from '../src/platform/postgres/database.ts';
import { buildConsoleIfStale } from './harness/built-console.ts';
import { missingErrors, provokedFolderVariable } from './harness/provoked.ts';
import { withTemplate } from './harness/template.ts';

buildConsoleIfStale();
// Each test file is a process; what one has compiled the others take from here.
process.env['NODE_COMPILE_CACHE'] ??= path.join(import.meta.dirname, '../node_modules/.cache/node');

function runTests(files: string[], connection: Connection): Promise<number> {
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
      env: { ...process.env, LATCHKEY_TEST_POSTGRES: JSON.stringify(connection) },
    },
  );
  // Whoever stops the run stops the tests; PostgreSQL is stopped when they have ended.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => child.kill(signal));
  }
  return new Promise((resolve) => child.on('exit', (code) => resolve(code ?? 1)));
}

const runAll = (files: string[]): Promise<number> =>
  withTemplate((connection) => runTests(files, connection));

/** Runs every file, then checks that the tests provoked each error of the contract. */
async function runWhole(): Promise<number> {
  const folder = mkdtempSync(path.join(tmpdir(), 'latchkey-provoked-'));
  process.env[provokedFolderVariable] = folder;
  const code = await runAll(globSync(['src/**/*.test.ts', 'test/**/*.test.ts']).toSorted());
  const missing = code === 0 ? missingErrors(folder) : [];
  rmSync(folder, { recursive: true });
  if (missing.length === 0) return code;
  console.error(`No test provokes over HTTP:\n  ${missing.join('\n  ')}`);
  return 1;
}

const named = process.argv.slice(2);
process.exit(await (named.length > 0 ? runAll(named) : runWhole()));
