/** Runs a command line and returns its output and exit code. */
import { readFile } from 'node:fs/promises';
import { ConfigError } from '../config/config.ts';
import { csvText } from '../contract/csv.ts';
import { isRefusal, messageOf, RefusalError } from '../contract/errors.ts';
import { execute } from './execute.ts';
import type { Report, Write } from './command.ts';
import { readInvocation, type Invocation, type Misuse } from './invocation.ts';
import { formatOutcome, printable } from './layout.ts';

/** Scripts depend on these codes. Spec: OPERATOR-6. */
const exitCodes = { done: 0, refused: 1, misused: 2 } as const;

/** The output and the exit code of the process. */
export interface CommandResult {
  exitCode: (typeof exitCodes)[keyof typeof exitCodes];
  out: string;
  err: string;
}

const done = (out: string): CommandResult => ({ exitCode: exitCodes.done, out, err: '' });

const misused = ({ problems, usage }: Misuse): CommandResult => ({
  exitCode: exitCodes.misused,
  out: '',
  err: printable(`${problems.map((problem) => `latchkey: ${problem}\n`).join('')}\n${usage}`),
});

const refusedBecause = (reason: string): CommandResult => ({
  exitCode: exitCodes.refused,
  out: '',
  err: printable(`latchkey: ${reason}\n`),
});

/** Why a command failed. */
function reasonOf(error: unknown): string {
  if (error instanceof RefusalError) return messageOf(error.refusal);
  if (!(error instanceof Error)) return String(error);
  return error instanceof ConfigError ? error.message : (error.stack ?? error.message);
}

async function version(): Promise<string> {
  const file = new URL('../../package.json', import.meta.url);
  const manifest = JSON.parse(await readFile(file, 'utf8')) as { version: string };
  return `${manifest.version}\n`;
}

/** Where the output of a command goes while it runs. */
export interface Output {
  /** Prints a line of a command that follows the service. */
  print(text: string): void;
  write: Write;
  /** Null: nobody looks. */
  terminal: NodeJS.WritableStream | null;
}

async function runCommand(
  { command, values, json }: Extract<Invocation, { kind: 'command' }>,
  env: NodeJS.ProcessEnv,
  { print, write, terminal }: Output,
): Promise<CommandResult> {
  if ('print' in command) {
    for await (const text of command.print(values as Record<string, never>)) await write(text);
    return done('');
  }
  const report: Report = (document, text) =>
    print(`${json ? JSON.stringify(document) : printable(text)}\n`);
  const output = { report, write, terminal: json ? null : terminal };
  const outcome = await execute(command, values, env, output);
  if (outcome === 'written') return done('');
  if (isRefusal(outcome)) return refusedBecause(messageOf(outcome));
  if (values['csv'] === true && outcome.csv) return done(csvText(outcome.csv));
  if (!json) return done(formatOutcome(outcome));
  // A command that follows the service prints one document per line, its result included.
  const indent = command.followsService ? 0 : 2;
  return done(`${JSON.stringify(outcome.document, null, indent)}\n`);
}

// The reader of a pipe has seen enough, as `head` does.
const isClosedPipe = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException | null)?.code === 'EPIPE';

/** Runs a command line. `output` gets what a command prints while it runs. */
export async function runCommandLine(
  words: readonly string[],
  env: NodeJS.ProcessEnv,
  output: Output,
): Promise<CommandResult> {
  try {
    const invocation = readInvocation(words);
    if (invocation.kind === 'misuse') return misused(invocation);
    if (invocation.kind === 'help') return done(invocation.usage);
    if (invocation.kind === 'version') return done(await version());
    return await runCommand(invocation, env, output);
  } catch (error) {
    if (isClosedPipe(error)) return done('');
    return refusedBecause(reasonOf(error));
  }
}
