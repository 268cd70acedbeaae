/** What a command line is answered with: text, complaints and an exit code. */
import { readFile } from 'node:fs/promises';
import { ConfigError } from '../config.ts';
import { OperatorRefusal } from '../access/index.ts';
import { execute } from './execute.ts';
import type { Tell } from './command.ts';
import { readInvocation, type Invocation, type Misuse } from './invocation.ts';
import { laidOut } from './layout.ts';

/** Kept for scripts. */
const exitCodes = { done: 0, refused: 1, misused: 2 } as const;

/** What the process writes and ends with. */
export interface Answer {
  exitCode: (typeof exitCodes)[keyof typeof exitCodes];
  out: string;
  err: string;
}

const done = (out: string): Answer => ({ exitCode: exitCodes.done, out, err: '' });

const misused = ({ problems, usage }: Misuse): Answer => ({
  exitCode: exitCodes.misused,
  out: '',
  err: `${problems.map((problem) => `latchkey: ${problem}\n`).join('')}\n${usage}`,
});

function refused(error: unknown): Answer {
  const isExpected = error instanceof OperatorRefusal || error instanceof ConfigError;
  const reason =
    error instanceof Error ? (isExpected ? error.message : error.stack) : String(error);
  return { exitCode: exitCodes.refused, out: '', err: `latchkey: ${reason}\n` };
}

async function version(): Promise<string> {
  const file = new URL('../../package.json', import.meta.url);
  const manifest = JSON.parse(await readFile(file, 'utf8')) as { version: string };
  return `${manifest.version}\n`;
}

async function ranCommand(
  { command, values, json }: Extract<Invocation, { kind: 'command' }>,
  env: NodeJS.ProcessEnv,
  print: (text: string) => void,
): Promise<Answer> {
  const tell: Tell = (document, text) => print(`${json ? JSON.stringify(document) : text}\n`);
  const outcome = await execute(command, values, env, tell);
  if (!json) return done(laidOut(outcome));
  // What is told on the way is a line each, and so is what it comes to.
  const indent = command.followsService ? 0 : 2;
  return done(`${JSON.stringify(outcome.document, null, indent)}\n`);
}

/** Does what the command line says; what is said before it is done is printed at once. */
export async function answer(
  words: readonly string[],
  env: NodeJS.ProcessEnv,
  print: (text: string) => void,
): Promise<Answer> {
  try {
    const invocation = readInvocation(words);
    if (invocation.kind === 'misuse') return misused(invocation);
    if (invocation.kind === 'help') return done(invocation.usage);
    if (invocation.kind === 'version') return done(await version());
    return await ranCommand(invocation, env, print);
  } catch (error) {
    return refused(error);
  }
}
