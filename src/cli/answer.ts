/** What a command line is answered with: text, complaints and an exit code. */
import { readFile } from 'node:fs/promises';
import { ConfigError } from '../config.ts';
import { OperatorRefusal } from '../operator/operator-refusal.ts';
import { execute } from './execute.ts';
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
): Promise<Answer> {
  const outcome = await execute(command, values, env);
  return done(json ? `${JSON.stringify(outcome.document, null, 2)}\n` : laidOut(outcome));
}

/** Does what the command line says. */
export async function answer(words: readonly string[], env: NodeJS.ProcessEnv): Promise<Answer> {
  try {
    const invocation = readInvocation(words);
    if (invocation.kind === 'misuse') return misused(invocation);
    if (invocation.kind === 'help') return done(invocation.usage);
    if (invocation.kind === 'version') return done(await version());
    return await ranCommand(invocation, env);
  } catch (error) {
    return refused(error);
  }
}
