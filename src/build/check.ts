/** `npm run check`: types, lint, format, import rules, unused exports, generated files. As many steps at once as there are processors. */
import { exec } from 'node:child_process';
import { availableParallelism } from 'node:os';

// One thread checks types in half the CPU time of the usual four, which each check what the others import, too.
const tsc = 'tsc --noEmit --checkers 1';

// The longest first.
const steps = [
  tsc,
  'depcruise src test bench',
  `${tsc} -p console/src/operator`,
  'knip',
  'node src/build/generate.ts --check',
  `${tsc} -p console/src/portal`,
  'oxlint',
  'oxfmt --check .',
  `${tsc} -p packages/partner`,
  `${tsc} -p console`,
];

/** Runs a step with the programs of the project, and prints what it says. A failed one fails the whole. */
const run = (step: string): Promise<void> =>
  new Promise((resolve) => {
    exec(step, { maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      const said = `${stdout}${stderr}`.trimEnd();
      process.stdout.write(`${error ? 'FAILED' : 'good'}: ${step}\n${said ? `${said}\n` : ''}`);
      if (error) process.exitCode = 1;
      resolve();
    });
  });

async function runWaiting(): Promise<void> {
  for (let step = steps.shift(); step !== undefined; step = steps.shift()) await run(step);
}

await Promise.all(Array.from({ length: availableParallelism() }, runWaiting));
