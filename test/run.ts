/** Runs the tests: one PostgreSQL for all of them, a template that each file clones. */
import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import type { Connection } from '../src/db/database.ts';
import { buildConsoleIfStale } from './harness/built-console.ts';
import { withTemplate } from './harness/template.ts';

buildConsoleIfStale();

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

const named = process.argv.slice(2);
const files = named.length > 0 ? named : globSync('test/**/*.test.ts').toSorted();
process.exit(await withTemplate((connection) => runTests(files, connection)));
