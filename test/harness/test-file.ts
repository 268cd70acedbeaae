/** Runs test files in a process that they share. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { claim } from './claim.ts';
import { after, suite } from './test-scope.ts';
import { usePropertySeed } from './property-seed.ts';

const fileTimeout = 300_000;
// More than a service takes to stop.
const graceMs = 30_000;

function endIfKeptAlive(): void {
  const alive = process.getActiveResourcesInfo().join(', ');
  console.error(`The tests have ended, but these keep their process from ending: ${alive}`);
  process.exit(1);
}

usePropertySeed();

let running = '';

// The test runner names the program of the process only.
process.on('exit', () => {
  if (!running) return;
  console.error(`The process ended while it ran ${running}`);
  process.exitCode = 1;
});

/**
 * Runs the tests of a file, as tests of a suite with its name. Resolves when they and all of the file's own hooks
 * have ended: a hook that ends leftover processes must not meet those of the next file. So the hook that resolves
 * belongs to a suite around them.
 */
function runFile(file: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  running = file;
  suite(path.dirname(file), () => {
    after(() => {
      running = '';
      resolve();
    });
    suite(path.basename(file), { timeout: fileTimeout }, async () => {
      await import(pathToFileURL(path.resolve(file)).href);
    });
  });
  return promise;
}

/** Runs the files that no other process of this folder has claimed, one after the other. */
export async function runFiles(folder: string, files: readonly string[]): Promise<void> {
  for (const file of files) {
    if (claim(folder, file)) await runFile(file);
  }
  // The test runner would wait forever for a process that something keeps alive.
  setTimeout(endIfKeptAlive, graceMs).unref();
}
