/** `latchkey-partner`: a command that needs only the address of the service, an application and its key. */
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { LatchkeyError, NoAnswerError } from '../client/errors.ts';
import { book } from './book.ts';
import { conformance } from './conformance.ts';
import { clientOf, type CommandContext, NotPossibleError, UsageError } from './context.ts';
import { doctor } from './doctor.ts';
import { events, listen } from './events.ts';
import { mcp } from './mcp.ts';
import { faults, logs } from './sandbox.ts';

type FlagType = 'string' | 'boolean';

interface Command {
  summary: string;
  /** Each flag with its type and meaning. */
  flags: Readonly<Record<string, readonly [type: FlagType, meaning: string]>>;
  /** The flag that the first word without a name sets. */
  word?: string;
  run(context: CommandContext): Promise<number>;
}

const since = [
  'string',
  'where to begin: a date, an instant, `latest`, or the cursor of an earlier run',
] as const;
const types = ['string', 'only these types, with commas'] as const;

const commands: Readonly<Record<string, Command>> = {
  doctor: {
    summary: 'Checks key, scopes, clock, quotas, catalog and reachability, each with advice.',
    flags: {},
    run: doctor,
  },
  book: {
    summary:
      'Books a stay step by step: search, quote, guest, outcome. For applications that settle themselves.',
    flags: {
      listing: ['string', 'the home, by its ID; without it, homes that are free are shown'],
      'check-in': ['string', 'arrival; without it, in 60 days'],
      'check-out': ['string', 'departure; without it, three nights later'],
      adults: ['string', 'adults; 2 without it'],
      children: ['string', 'children'],
      'first-name': ['string', 'the guest'],
      'last-name': ['string', 'the guest'],
      email: [
        'string',
        'the guest; in the simulation a suffix such as `ada+sold_out@…` selects the outcome',
      ],
      phone: ['string', 'the guest'],
      reference: ['string', 'your order number'],
      yes: ['boolean', 'accept price and terms without a question'],
    },
    run: book,
  },
  logs: {
    summary: 'Shows your last calls, or one by its request ID. In the simulation.',
    flags: {
      request: ['string', 'the `x-request-id` of a call; also without the name of the flag'],
      operation: ['string', 'only this operation'],
      status: ['string', 'only this status (404) or class (4xx)'],
      limit: ['string', 'how many; 20 without it'],
    },
    word: 'request',
    run: logs,
  },
  faults: {
    summary: 'Shows the faults that you have ordered for your own calls. In the simulation.',
    flags: {
      set: ['string', 'a file with rules, in place of those before'],
      clear: ['boolean', 'remove the rules'],
    },
    run: faults,
  },
  conformance: {
    summary:
      'Runs a command once a scenario of a conformance run, and tells what was judged. In the simulation.',
    flags: {
      profile: ['string', 'how you book: checkout, card or request'],
      command: [
        'string',
        'run by the shell with LATCHKEY_SCENARIO and LATCHKEY_TASK; the last line that it prints is the outcome',
      ],
      only: ['string', 'only these scenarios, with commas'],
      run: ['string', 'go on with this open run, as begun in the portal, in place of a new one'],
      report: ['string', 'a file for the signed report'],
    },
    run: conformance,
  },
  events: {
    summary: 'Prints the event feed.',
    flags: { since, types, follow: ['boolean', 'go on with what comes, until Ctrl-C'] },
    run: events,
  },
  listen: {
    summary: 'Posts each event to a program, signed as a webhook, until Ctrl-C.',
    flags: {
      'forward-to': ['string', 'the program: http://localhost:3000/hook'],
      since,
      types,
      secret: [
        'string',
        'signs the requests; without it LATCHKEY_WEBHOOK_SECRET, or one that is printed',
      ],
      retry: ['boolean', 'post again until a 2xx, with short delays'],
      resend: [
        'string',
        'post this event of the feed once more, and end: with exit code 1 if it is not taken',
      ],
      insecure: ['boolean', 'take any certificate of the program'],
    },
    run: listen,
  },
  mcp: {
    summary:
      'Gives an agent tools (MCP): search, home, calendar, quote, and reservations on order.',
    flags: {
      http: ['boolean', 'serve HTTP on this machine, not standard input and output'],
      port: ['string', 'the port of --http; 8090 without it'],
      'allow-reservations': [
        'boolean',
        'the agent may request reservations; for applications that settle themselves',
      ],
    },
    run: mcp,
  },
};

const everywhere = { json: { type: 'boolean' }, help: { type: 'boolean' } } as const;

function usage(): string {
  const lines = Object.entries(commands).map(
    ([name, { summary }]) => `  ${name.padEnd(11)} ${summary}`,
  );
  return [
    'Usage: latchkey-partner <command> [flags] [--json]',
    '',
    ...lines,
    '',
    'Needs LATCHKEY_BASE_URL, LATCHKEY_APPLICATION_ID and LATCHKEY_APPLICATION_KEY.',
  ].join('\n');
}

function usageOf(name: string, { summary, flags }: Command): string {
  const lines = Object.entries(flags).map(
    ([flag, [type, meaning]]) =>
      `  ${`--${flag}${type === 'string' ? ' …' : ''}`.padEnd(18)} ${meaning}`,
  );
  return [
    `Usage: latchkey-partner ${name} [flags] [--json]`,
    '',
    summary,
    ...(lines.length > 0 ? ['', ...lines] : []),
  ].join('\n');
}

/** What `main` writes to. */
export interface Terminal {
  out(text: string): void;
  error(text: string): void;
  env: Readonly<Record<string, string | undefined>>;
  ask: CommandContext['ask'];
  signal: AbortSignal;
}

async function askOnTerminal(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await lines.question(question);
  } finally {
    lines.close();
  }
}

function terminalOfProcess(): Terminal {
  const end = new AbortController();
  process.once('SIGINT', () => end.abort());
  process.once('SIGTERM', () => end.abort());
  return {
    out: (text) => process.stdout.write(`${text}\n`),
    error: (text) => process.stderr.write(`${text}\n`),
    env: process.env,
    ask: process.stdin.isTTY ? askOnTerminal : null,
    signal: end.signal,
  };
}

function parsed({ flags, word }: Command, words: string[]): CommandContext['flags'] {
  const named = Object.entries(flags).map(([name, [type]]) => [name, { type }] as const);
  try {
    const { values, positionals } = parseArgs({
      args: words,
      options: { ...Object.fromEntries(named), ...everywhere },
      allowPositionals: word !== undefined,
    });
    if (positionals.length > 1) throw new UsageError(`There is one ${word} too many.`);
    const [given] = positionals;
    return {
      ...values,
      ...(word !== undefined && given !== undefined && { [word]: given }),
    } as CommandContext['flags'];
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

async function run(
  command: Command,
  name: string,
  words: string[],
  terminal: Terminal,
): Promise<number> {
  const flags = parsed(command, words);
  if (flags['help'] === true) {
    terminal.out(usageOf(name, command));
    return 0;
  }
  const isJson = flags['json'] === true;
  return command.run({
    ...clientOf(terminal.env),
    flags,
    say: (text) => (isJson ? undefined : terminal.out(text)),
    show: (document) => (isJson ? terminal.out(JSON.stringify(document)) : undefined),
    ask: isJson ? null : terminal.ask,
    signal: terminal.signal,
  });
}

/** Whether the message of an error is all that a user needs. */
const isTold = (error: unknown): error is Error =>
  error instanceof LatchkeyError ||
  error instanceof NoAnswerError ||
  error instanceof NotPossibleError;

/** Runs the command line. Returns the exit code: 0 done, 1 refused or not made, 2 wrong usage. */
export async function main(
  words: readonly string[],
  terminal: Terminal = terminalOfProcess(),
): Promise<number> {
  const [name = '', ...rest] = words;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) {
    const isHelp = name === '' || name === 'help' || name === '--help';
    (isHelp ? terminal.out : terminal.error)(
      isHelp ? usage() : `There is no command ${name}.\n\n${usage()}`,
    );
    return isHelp && name !== '' ? 0 : 2;
  }
  try {
    return await run(command, name, rest, terminal);
  } catch (error) {
    if (terminal.signal.aborted) return 130;
    if (error instanceof UsageError) {
      terminal.error(error.message);
      return 2;
    }
    if (!isTold(error)) throw error;
    terminal.error(error.message);
    return 1;
  }
}
