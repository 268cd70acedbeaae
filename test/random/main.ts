/**
 * `npm run random -- [KIND] [--seed S] [--count N] [--canary] [-- OPTIONS OF THE KIND]`: random runs of one kind, or a
 * short one of each. A seed repeats a run. `--canary` plants a defect that the kind must find: the command fails if it
 * does not.
 */
import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';
import { kinds, type Kind } from './kinds.ts';

const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    count: { type: 'string' },
    canary: { type: 'boolean', default: false },
  },
});
const [name, ...others] = positionals;
const seed = Number(values.seed);
const count = values.count === undefined ? null : Number(values.count);
const isNumber = (value: number): boolean => Number.isSafeInteger(value) && value > 0;

if (
  (name !== undefined && !kinds[name]) ||
  !isNumber(seed) ||
  (count !== null && !isNumber(count))
) {
  console.error(
    'npm run random -- [KIND] [--seed S] [--count N] [--canary] [-- OPTIONS OF THE KIND]\n',
  );
  for (const [kind, { about, unit }] of Object.entries(kinds)) {
    console.error(`${kind.padEnd(12)}${about}; --count: ${unit}`);
  }
  process.exit(2);
}

/** Runs a kind as a program of its own. Returns its exit code; null: it was stopped. */
const run = (kind: Kind): Promise<number | null> => {
  const length = count ?? (values.canary ? kind.canaryCount : kind.count);
  const canary = values.canary ? ['--canary'] : [];
  const [program = '', ...options] = kind.command(seed, length);
  const child = spawn(process.execPath, [program, ...canary, ...options, ...others], {
    stdio: 'inherit',
  });
  return new Promise((resolve) => child.on('exit', resolve));
};

const chosen = Object.entries(kinds).filter(([kind]) => name === undefined || kind === name);
// A program that cannot run ends with another code than one that finds something.
const wanted = values.canary ? 1 : 0;
const results: string[] = [];
for (const [kind, one] of chosen) {
  console.log(`${kind}, seed ${seed}: ${one.about}`);
  const code = await run(one);
  if (code !== wanted) process.exitCode = 1;
  const found =
    code === 1 ? 'found something' : code === 0 ? 'found nothing' : `ended with ${code}`;
  results.push(`${code === wanted ? 'good' : 'BAD '} ${kind}: ${found}`);
}
console.log(results.join('\n'));
