#!/usr/bin/env node
/** The `latchkey` command. */
import { answer } from './answer.ts';

const { exitCode, out, err } = await answer(process.argv.slice(2), process.env);
// Whoever reads may have seen enough, as `head` has.
process.stdout.on('error', () => undefined);
process.stdout.write(out);
process.stderr.write(err);
process.exitCode = exitCode;
