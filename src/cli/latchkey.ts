#!/usr/bin/env node
/** The `latchkey` command. */
import { answer } from './answer.ts';

// Ignores a closed pipe, as with `| head`.
process.stdout.on('error', () => undefined);
const print = (text: string): void => void process.stdout.write(text);
const { exitCode, out, err } = await answer(process.argv.slice(2), process.env, print);
process.stdout.write(out);
process.stderr.write(err);
process.exitCode = exitCode;
