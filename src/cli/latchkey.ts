#!/usr/bin/env node
/** The `latchkey` command. */
import { importProgram } from '../build/bundled.ts';
import { useCompileCache } from '../build/compile-cache.ts';

useCompileCache();
const { runCommandLine } = await importProgram('cli/run-command-line');

// Ignores a closed pipe, as with `| head`.
process.stdout.on('error', () => undefined);
const { exitCode, out, err } = await runCommandLine(process.argv.slice(2), process.env, {
  print: (text) => void process.stdout.write(text),
  write: (text) =>
    new Promise((resolve, reject) => {
      process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
    }),
  terminal: process.stderr.isTTY ? process.stderr : null,
});
process.stdout.write(out);
process.stderr.write(err);
process.exitCode = exitCode;
