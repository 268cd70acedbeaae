/** Runs a test file in a process that it shares with others. */
import { after, suite } from './test-scope.ts';

// More than a service takes to stop.
const graceMs = 30_000;

let running = 0;

function endIfKeptAlive(): void {
  const alive = process.getActiveResourcesInfo().join(', ');
  console.error(`The tests have ended, but these keep their process from ending: ${alive}`);
  process.exit(1);
}

/** When the last file has ended, the process has to end, too: the test runner would wait for it forever. */
function fileEnded(): void {
  running -= 1;
  if (running === 0) setTimeout(endIfKeptAlive, graceMs).unref();
}

/** Defines the tests of a file, as tests of a suite with its name. */
export function testFile(name: string, url: string): void {
  running += 1;
  suite(name, async () => {
    after(fileEnded);
    await import(url);
  });
}
