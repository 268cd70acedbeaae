/** Which test files share a process: loading and compiling the code costs more than most tests do. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const root = path.join(import.meta.dirname, '../..');

/**
 * How many files of a folder share a process, so that no process takes much longer than the others. These
 * folders take the longest, so they start first, in this order.
 */
const longest: readonly [prefix: string, filesPerProcess: number][] = [
  ['test/records/', 8],
  ['test/model/', 1],
  ['test/faults/', 3],
  ['test/start/', 4],
  ['test/browser/', 2],
  ['test/fuzz/', 1],
  ['test/security/', 4],
  ['test/cli/', 5],
  ['test/fleet/', 3],
  ['test/contract/', 7],
];
const filesPerProcess = 32;

const rankOf = (file: string): number => {
  const rank = longest.findIndex(([prefix]) => file.startsWith(prefix));
  return rank === -1 ? longest.length : rank;
};

/** Groups test files by process, in the order in which the processes start. */
function groupByProcess(files: readonly string[]): string[][] {
  // The unit tests come last: short processes at the end keep all cores busy until then.
  const ranked = files.toSorted((a, b) => rankOf(a) - rankOf(b) || b.localeCompare(a));
  const groups: string[][] = [];
  for (const file of ranked) {
    const rank = rankOf(file);
    const last = groups.at(-1);
    const most = longest[rank]?.[1] ?? filesPerProcess;
    if (last && rankOf(last[0]!) === rank && last.length < most) last.push(file);
    else groups.push([file]);
  }
  return groups;
}

const testFile = new URL('test-file.ts', import.meta.url).href;
const bundledTypebox = new URL('bundled-typebox.ts', import.meta.url).href;
const head = `import { testFile } from ${JSON.stringify(testFile)};
import ${JSON.stringify(bundledTypebox)};
`;

function lineOf(file: string): string {
  const url = pathToFileURL(path.resolve(root, file)).href;
  return `testFile(${JSON.stringify(file)}, ${JSON.stringify(url)});\n`;
}

/** Writes one file for each process, which runs its test files one after the other; returns their paths. */
export function writeEntries(folder: string, files: readonly string[]): string[] {
  mkdirSync(folder);
  return groupByProcess(files).map((group, index) => {
    // The runner starts them in the order of their names, and shows the name of one that failed.
    const name = `${String(index).padStart(3, '0')} ${group[0]!.replaceAll(/[\\/]/g, ' ')}.mjs`;
    const entry = path.join(folder, name);
    writeFileSync(entry, `${head}${group.map(lineOf).join('')}`);
    return entry;
  });
}
