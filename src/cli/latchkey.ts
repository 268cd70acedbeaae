#!/usr/bin/env node
/** The `latchkey` command. */
import { runCommandLine } from './run-command-line.ts';

// Ignores a closed pipe, as with `| head`.
process.stdout.on('error', () => undefined);
const print = (text: string): void => void process.stdout.write(text);
const { exitCode, out, err } = await runCommandLine(process.argv.slice(2), process.env, print);
process.stdout.write(out);
process.stderr.write(err);
process.exitCode = exitCode;
