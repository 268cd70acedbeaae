/** A program of the tests that kills itself at a failpoint. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const bundledTypebox = new URL('bundled-typebox.ts', import.meta.url).href;

/** The words by which Node runs a program of the tests with its argument. */
export const programWords = (program: URL, argument: object): string[] => [
  '--import',
  bundledTypebox,
  fileURLToPath(program),
  JSON.stringify(argument),
];

/** Runs a program to its end; returns the signal that ended it. Fails if the program writes an error. */
export async function signalThatEnds(
  program: URL,
  argument: object,
): Promise<NodeJS.Signals | null> {
  const child = spawn(process.execPath, programWords(program, argument), {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [errors] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  assert.equal(errors, '');
  return child.signalCode;
}
