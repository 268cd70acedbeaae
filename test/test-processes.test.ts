/** The processes that run test files, one file after the other, and programs that use their harness. */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { writePrograms } from './harness/processes.ts';
import { lastLine, readResults } from './harness/results-reporter.ts';
import { scratchFolder } from './harness/scratch-folder.ts';

const folder = await mkdtemp(path.join(scratchFolder, 'lk-processes-'));
after(() => rm(folder, { recursive: true, force: true }));
const events = path.join(folder, 'events');

const imports = `import { appendFileSync } from 'node:fs';
  import { setTimeout as sleep } from 'node:timers/promises';
  import { after, it } from 'node:test';
  const note = (event) => appendFileSync(${JSON.stringify(events)}, event + '\\n');`;

/** Runs files with these texts in one process, in the order of the list; returns its exit code. */
async function exitCodeOf(name: string, texts: readonly string[]): Promise<number | null> {
  const files = texts.map((_, at) => path.join(folder, `${name}-${9 - at}.mjs`));
  await Promise.all(files.map((file, at) => writeFile(file, `${imports}\n${texts[at]}`)));
  const programs = writePrograms(path.join(folder, name), files, 1);
  // Otherwise the runner would take itself for a test of this file.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const child = spawn(process.execPath, ['--test', ...programs], { env, stdio: 'ignore' });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code;
}

describe('a process of test files', () => {
  it('begins a file when all hooks of the one before have ended, also failed ones', async () => {
    const code = await exitCodeOf('hooks', [
      `after(async () => { await sleep(100); note('hook'); throw new Error('a failing hook'); });
       it('passes', () => note('test'));`,
      `note('next file'); it('passes', () => note('next test'));`,
    ]);
    const happened = (await readFile(events, 'utf8')).trim().split('\n');
    assert.deepEqual(happened, ['test', 'hook', 'next file', 'next test']);
    assert.notEqual(code, 0, 'a hook has failed');
  });

  it('succeeds if all files do', async () => {
    assert.equal(await exitCodeOf('green', [`it('passes', () => undefined);`]), 0);
  });

  it('fails if a file cannot be imported', async () => {
    assert.notEqual(await exitCodeOf('import', [`throw new Error('on import');`]), 0);
  });

  it('fails if a test ends it, also with 0', async () => {
    assert.notEqual(await exitCodeOf('ended', [`it('ends', () => process.exit(0));`]), 0);
  });
});

describe('the last line of a run', () => {
  const reporter = path.join(import.meta.dirname, 'harness/results-reporter.ts');

  /** The results of a file with this text, and the exit code of its run. */
  async function resultsOf(name: string, text: string) {
    const file = path.join(folder, `${name}.mjs`);
    const results = path.join(folder, `${name}.results`);
    await writeFile(file, `import { it, describe, before } from 'node:test';\n${text}`);
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    const options = [`--test-reporter=${reporter}`, `--test-reporter-destination=${results}`];
    const child = spawn(process.execPath, ['--test', ...options, file], { env, stdio: 'ignore' });
    const [code] = (await once(child, 'exit')) as [number];
    return { code, results: readResults(await readFile(results, 'utf8')) };
  }

  it('counts tests, not suites and skipped ones, each failure once', async () => {
    const { code, results } = await resultsOf(
      'counted',
      `describe('outer', () => { it('a', () => {}); it('b', () => { throw new Error('no'); });
         describe('inner', () => { it('c', () => {}); it.skip('d', () => {}); }); });`,
    );
    assert.equal(lastLine(results, code), '2 passed, 1 failed');
    assert.match(results.failures.join(), /outer › b/);
  });

  it('counts a suite whose hook fails', async () => {
    const { code, results } = await resultsOf(
      'hooked',
      `it('a', () => {}); describe('s', () => { before(() => { throw new Error('no'); }); it('b', () => {}); });`,
    );
    assert.notEqual(code, 0);
    assert.match(lastLine(results, code), /^1 passed, [1-9]\d* failed$/);
  });

  it('never says that nothing failed when the run did', () => {
    const green = { passed: 7, failures: [] };
    assert.equal(lastLine(green, 0), '7 passed, 0 failed');
    assert.equal(lastLine(green, 1), '7 passed, 1 failed');
  });
});

describe('a program that is started by itself, as npm run fleet', () => {
  it('has a run folder for its servers, which ends with it', async () => {
    const harness = (name: string): string =>
      JSON.stringify(new URL(`./harness/${name}.ts`, import.meta.url).href);
    const program = `import { freePort } from ${harness('free-port')};
      import { runFolder } from ${harness('run-folder')};
      console.log(JSON.stringify({ port: await freePort(), folder: runFolder() }));`;
    const { LATCHKEY_TEST_FOLDER: ofThisRun, ...env } = process.env;
    const words = ['--input-type=module', '--eval', program];
    const { stdout } = await promisify(execFile)(process.execPath, words, { env });
    const { port, folder: own } = JSON.parse(stdout) as { port: number; folder: string };
    assert.ok(port > 0);
    assert.notEqual(own, ofThisRun);
    assert.equal(existsSync(own), false);
  });
});
