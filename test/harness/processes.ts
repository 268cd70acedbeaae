/**
 * The processes that run test files: as many as run at once, each taking one file after the other. Loading and
 * compiling the code costs more than most tests do, and no process ends long before the others.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

// Their tests wait most of the time. The longest first, of both kinds.
const waiting: readonly string[] = [
  'test/records/',
  'test/faults/',
  'test/start/',
  'test/fuzz/',
  'test/cli/',
  'test/fleet/',
  'test/security/',
  'test/access/',
  'test/catalog/large-file',
  'test/contract/',
];
const computing: readonly string[] = ['test/model/', 'test/browser/', 'test/payments/'];

const rankIn = (prefixes: readonly string[], file: string): number => {
  const rank = prefixes.findIndex((prefix) => file.startsWith(prefix));
  return rank === -1 ? prefixes.length : rank;
};

const ranked = (files: readonly string[], prefixes: readonly string[]): string[] =>
  files.toSorted((a, b) => rankIn(prefixes, a) - rankIn(prefixes, b) || b.localeCompare(a));

/** The order in which a process takes files. Every second one begins with those that compute, so that all cores are busy. */
function orderOf(files: readonly string[], process: number): string[] {
  const { true: wait = [], false: compute = [] } = Object.groupBy(files, (file) =>
    rankIn(waiting, file) < waiting.length ? 'true' : 'false',
  );
  const kinds = [ranked(wait, waiting), ranked(compute, computing)];
  return (process % 2 === 0 ? kinds : kinds.toReversed()).flat();
}

const testFile = new URL('test-file.ts', import.meta.url).href;
const bundledTypebox = new URL('bundled-typebox.ts', import.meta.url).href;

/** Writes a program for each process into a new folder, which they share. Returns the programs' paths. */
export function writePrograms(
  folder: string,
  files: readonly string[],
  processes: number,
): string[] {
  mkdirSync(folder);
  return Array.from({ length: Math.min(processes, files.length) }, (_, process) => {
    const program = path.join(folder, `process-${process}.mjs`);
    writeFileSync(
      program,
      `import { runFiles } from ${JSON.stringify(testFile)};
import ${JSON.stringify(bundledTypebox)};
await runFiles(${JSON.stringify(folder)}, ${JSON.stringify(orderOf(files, process))});
`,
    );
    return program;
  });
}
