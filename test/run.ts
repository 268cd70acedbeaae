/** Runs the tests: one PostgreSQL for all of them, a template that each file clones. */
import { spawn } from 'node:child_process';
import { globSync, mkdirSync, readFileSync } from 'node:fs';
import { availableParallelism, constants, setPriority } from 'node:os';
import path from 'node:path';
import type { Connection } from '../src/platform/postgres/connecting.ts';
import { bundle } from '../src/build/bundle.ts';
import { browserProgram } from './harness/browser-program.ts';
import { buildConsoleIfStale } from './harness/built-console.ts';
import { fillCompileCache } from './harness/compile-cache.ts';
import { writePrograms } from './harness/processes.ts';
import { missingErrors, provokedFolderVariable } from './harness/provoked.ts';
import { lastLine, readResults } from './harness/results-reporter.ts';
import { runFolder } from './harness/run-folder.ts';
import { withTemplate } from './harness/template.ts';

buildConsoleIfStale();
await bundle();
// What one process has compiled, the others take from here.
process.env['NODE_COMPILE_CACHE'] ??= path.join(import.meta.dirname, '../node_modules/.cache/node');
const folder = runFolder();

// They load the machine to its limit: nothing of the same priority may run beside them.
const exclusive = new Set([
  'test/faults/overload.test.ts',
  'test/start/stopping-under-load.test.ts',
]);
// Each file has a shorter limit of its own.
const processTimeout = 1_200_000;
const isExclusive = (file: string): boolean => exclusive.has(path.normalize(file));

const isUnitTest = (file: string): boolean => path.normalize(file).startsWith('src/');

interface Phase {
  /** Of its folder. */
  name: string;
  files: string[];
  concurrency: number;
  /** Of its processes. Absent: that of this process. */
  priority?: number;
}

const resultsReporter = path.join(import.meta.dirname, 'harness/results-reporter.ts');
const resultsOf = (phase: string): string => path.join(folder, `${phase}.results`);

/** Prints the failures of all phases together, because each phase prints much after them, and the counts. */
function printResults(exitCode: number): void {
  const texts = globSync(resultsOf('*')).map((file) => readFileSync(file, 'utf8'));
  const results = readResults(texts.join(''));
  const failures = results.failures.join('');
  if (failures) console.error(`\nThese tests failed:\n\n${failures}`);
  console.log(`\n${lastLine(results, exitCode)}`);
}

/** Runs files of one kind in `concurrency` processes. */
function runPhase(
  { name, files, concurrency, priority }: Phase,
  connection: Connection,
): Promise<number> {
  if (files.length === 0) return Promise.resolve(0);
  const reporter = process.env['CI'] ? 'spec' : 'dot';
  const child = spawn(
    process.execPath,
    [
      // The test processes get it, too: a small space for new objects costs them a tenth of their CPU time.
      '--min-semi-space-size=16',
      '--test',
      `--test-reporter=${process.env['LATCHKEY_TEST_REPORTER'] ?? reporter}`,
      '--test-reporter-destination=stdout',
      `--test-reporter=${resultsReporter}`,
      `--test-reporter-destination=${resultsOf(name)}`,
      `--test-concurrency=${concurrency}`,
      `--test-timeout=${processTimeout}`,
      ...writePrograms(path.join(folder, name), files, concurrency),
    ],
    {
      stdio: 'inherit',
      env: { ...process.env, LATCHKEY_TEST_POSTGRES: JSON.stringify(connection) },
    },
  );
  if (child.pid && priority !== undefined) setPriority(child.pid, priority);
  // Whoever stops the run stops the tests; PostgreSQL is stopped when they have ended.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => child.kill(signal));
  }
  return new Promise((resolve) => child.on('exit', (code) => resolve(code ?? 1)));
}

async function runTests(files: string[], connection: Connection): Promise<number> {
  // Most tests wait; meanwhile others use the core.
  const concurrency = 3 * availableParallelism();
  const alone = files.filter(isExclusive);
  const units = files.filter(isUnitTest);
  const others = files.filter((file) => !isExclusive(file) && !isUnitTest(file));
  const code = await runPhase({ name: 'together', files: others, concurrency }, connection);
  // The unit tests take only what the others leave.
  const priority = constants.priority.PRIORITY_LOW;
  const last = await Promise.all([
    runPhase({ name: 'alone', files: alone, concurrency: 1 }, connection),
    runPhase({ name: 'units', files: units, concurrency: 2, priority }, connection),
  ]);
  return code || last.find((one) => one !== 0) || 0;
}

const runAll = (files: string[]): Promise<number> =>
  withTemplate((connection) => runTests(files, connection));

/** Runs every file, then checks that the tests provoked each error of the contract. */
async function runWhole(): Promise<number> {
  const provoked = path.join(folder, 'provoked');
  mkdirSync(provoked);
  process.env[provokedFolderVariable] = provoked;
  const prepared = Promise.all([fillCompileCache(), browserProgram()]);
  const files = globSync(['src/**/*.test.ts', 'test/**/*.test.ts']);
  const code = await withTemplate(async (connection) => {
    await prepared;
    return runTests(files, connection);
  });
  const missing = code === 0 ? missingErrors(provoked) : [];
  if (missing.length === 0) return code;
  console.error(`No test provokes over HTTP:\n  ${missing.join('\n  ')}`);
  return 1;
}

/** The test files of a path: of a file, a folder, or a pattern. */
function filesOf(named: string): string[] {
  const files = globSync([named, path.join(named, '**/*.test.ts')]);
  const found = files.filter((file) => file.endsWith('.test.ts'));
  if (found.length === 0) throw new Error(`there is no test file ${named}`);
  return found;
}

const named = process.argv.slice(2);
let exitCode = 1;
try {
  exitCode = await (named.length > 0 ? runAll([...new Set(named.flatMap(filesOf))]) : runWhole());
} finally {
  process.exitCode = exitCode;
  printResults(exitCode);
}
