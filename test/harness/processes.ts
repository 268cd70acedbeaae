/**
 * The processes that run test files: as many as run at once, each taking one file after the other. Loading and
 * compiling the code costs more than most tests do, and no process ends long before the others.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

// Folders whose tests wait most of the time. Those that take longest come first, here and below.
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
// Folders whose tests compute most of the time. The other files come after them.
const computing: readonly string[] = ['test/model/', 'test/browser/', 'test/payments/'];

const rankIn = (prefixes: readonly string[], file: string): number => {
  const rank = prefixes.findIndex((prefix) => file.startsWith(prefix));
  return rank === -1 ? prefixes.length : rank;
};

const ranked = (files: readonly string[], prefixes: readonly string[]): string[] =>
  files.toSorted((a, b) => rankIn(prefixes, a) - rankIn(prefixes, b) || b.localeCompare(a));

const waits = (file: string): boolean => rankIn(waiting, file) < waiting.length;

/** The order in which a process takes files. Every second one begins with those that compute, so that all cores are busy. */
function orderOf(files: readonly string[], index: number): string[] {
  const kinds = [
    ranked(files.filter(waits), waiting),
    ranked(
      files.filter((file) => !waits(file)),
      computing,
    ),
  ];
  return (index % 2 === 0 ? kinds : kinds.toReversed()).flat();
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
  return Array.from({ length: Math.min(processes, files.length) }, (_, index) => {
    const program = path.join(folder, `process-${index}.mjs`);
    writeFileSync(
      program,
      `import { runFiles } from ${JSON.stringify(testFile)};
import ${JSON.stringify(bundledTypebox)};
await runFiles(${JSON.stringify(folder)}, ${JSON.stringify(orderOf(files, index))});
`,
    );
    return program;
  });
}
