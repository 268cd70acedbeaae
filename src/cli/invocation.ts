/** Parses a command line. */
import { closestMatch } from 'leven';
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import { calledAs, type Command, type Flag, type Noun, type Parsed } from './command.ts';
import { nouns as allNouns } from './commands.ts';
import { usageOfAll, usageOfCommand, usageOfNoun } from './usage.ts';

/** A parsed command line. */
export type Invocation =
  | { kind: 'help'; usage: string }
  | { kind: 'version' }
  | { kind: 'command'; command: Command; values: Record<string, unknown>; json: boolean }
  | Misuse;

/** A command line with problems: all of them, and the usage. */
export interface Misuse {
  kind: 'misuse';
  problems: readonly string[];
  usage: string;
}

type Target =
  | { level: 'all'; usage: string }
  | { level: 'noun'; usage: string; name: string }
  | { level: 'command'; usage: string; command: Command; rest: readonly string[] };

const misuse = (usage: string, ...problems: string[]): Misuse => ({
  kind: 'misuse',
  problems,
  usage,
});

const isFlag = (word: string | undefined): boolean => word === undefined || word.startsWith('-');

/** Reads an own property of a table. */
const entryOf = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

// With a larger distance, a suggestion would be wrong more often than right.
const maxDistance = 2;

/** Suggests the nearest known word for an unknown one, and lists all known words. */
function suggestion(word: string, known: readonly string[]): string {
  const nearest = closestMatch(word, known, { maxDistance });
  const guess = nearest === undefined ? '' : `did you mean "${nearest}"? There are`;
  return `${guess || 'there are'} ${known.join(', ')}.`;
}

/** Finds the verb or nested noun after a noun. */
function targetWithin(name: string, noun: Noun, words: readonly string[]): Target | Misuse {
  const usage = usageOfNoun(name, noun);
  const [word = '', ...rest] = words;
  const inner = entryOf(noun.nouns ?? {}, word);
  if (inner) return targetWithin(`${name} ${word}`, inner, rest);
  const alone = entryOf(noun.verbs, '');
  if (alone) {
    return { level: 'command', usage: usageOfCommand(name, alone), command: alone, rest: words };
  }
  if (isFlag(words[0])) return { level: 'noun', usage, name };
  const command = entryOf(noun.verbs, word);
  if (!command) {
    const known = [...Object.keys(noun.nouns ?? {}), ...Object.keys(noun.verbs)];
    return misuse(usage, `There is no verb "${word}" for ${name}; ${suggestion(word, known)}`);
  }
  return { level: 'command', usage: usageOfCommand(calledAs(name, word), command), command, rest };
}

type Nouns = Readonly<Record<string, Noun>>;

/** Finds the noun and verb of a command line. */
function targetOf(nouns: Nouns, words: readonly string[]): Target | Misuse {
  const [name = '', ...rest] = words;
  if (isFlag(words[0])) return { level: 'all', usage: usageOfAll(nouns) };
  const noun = entryOf(nouns, name);
  if (noun) return targetWithin(name, noun, rest);
  const known = Object.keys(nouns);
  return misuse(usageOfAll(nouns), `There is no noun "${name}"; ${suggestion(name, known)}`);
}

function optionsOf({ flags, argument }: Command): ParseArgsOptionsConfig {
  const byName = Object.entries(flags).filter(([name]) => name !== argument);
  const named = byName.map(([name, { kind, repeats = false }]) => [
    name,
    {
      type: kind.placeholder === '' ? ('boolean' as const) : ('string' as const),
      multiple: repeats,
    },
  ]);
  return { ...Object.fromEntries(named), json: { type: 'boolean' } };
}

// Removes Node's explanation of positional arguments, because few commands have them.
function rewordedProblem(message: string, flags: readonly string[]): string {
  const problem = message
    .replace(/\.? To specify a positional argument.*$/s, '')
    .replace(/(?<!\.)$/, '.');
  const [, unknown] = /^Unknown option '(--[\w-]+)'/.exec(message) ?? [];
  if (unknown === undefined) return problem;
  const nearest = closestMatch(unknown, flags, { maxDistance });
  return nearest === undefined ? problem : `${problem} Did you mean ${nearest}?`;
}

const isFlagForm = (word: string): boolean => /^(-[a-zA-Z]|--[a-z][a-z-]*(=.*)?)$/s.test(word);

// `parseArgs` takes a value that begins with a dash, such as a negative number or one cursor of 64, only in the form
// `--flag=-5`.
function withDashedValues(words: readonly string[], options: ParseArgsOptionsConfig): string[] {
  const takesValue = (word = ''): boolean =>
    word.startsWith('--') && entryOf(options, word.slice(2))?.type === 'string';
  const isValue = (index: number): boolean => {
    const word = words[index] ?? '';
    return word.startsWith('-') && !isFlagForm(word) && takesValue(words[index - 1]);
  };
  return words.flatMap((word, index) => {
    if (isValue(index)) return [];
    return isValue(index + 1) ? [`${word}=${words[index + 1]}`] : [word];
  });
}

function parsed(command: Command, words: readonly string[]) {
  const options = optionsOf(command);
  try {
    return parseArgs({
      args: withDashedValues(words, options),
      options,
      strict: true,
      tokens: true,
      allowPositionals: command.argument !== undefined,
    });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (!code?.startsWith('ERR_PARSE_ARGS')) throw error;
    const flags = Object.keys(options).map((name) => `--${name}`);
    return rewordedProblem(message, flags);
  }
}

/** Parses the values of a flag that is given several times. An empty text is no item. */
function parseEach({ kind }: Flag<never>, texts: readonly string[]): Parsed<unknown> {
  const read = texts.filter((text) => text !== '').map((text) => kind.parse(text));
  const wrong = read.find((one) => 'problem' in one);
  return wrong ?? { value: read.map((one) => ('value' in one ? one.value : null)) };
}

const isRepeatable = ({ flags }: Command, name: string): boolean =>
  entryOf(flags, name)?.repeats === true;

/** Parses the flags of a command, and collects all their problems. */
function commandOf(command: Command, words: readonly string[], usage: string): Invocation {
  const line = parsed(command, words);
  if (typeof line === 'string') return misuse(usage, line);
  const given = line.tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : []));
  const twice = new Set(
    given.filter((name, index) => given.indexOf(name) !== index && !isRepeatable(command, name)),
  );
  const problems = [...twice].map((name) => `--${name} is given more than once.`);
  const [first, ...others] = line.positionals;
  problems.push(...others.map((word) => `Unexpected argument '${word}'.`));
  const values: Record<string, unknown> = {};
  for (const [name, flag] of Object.entries(command.flags)) {
    const { kind, required } = flag;
    const isArgument = name === command.argument;
    const value = isArgument ? first : line.values[name];
    const shown = isArgument ? kind.placeholder : `--${name}`;
    if (value === undefined) {
      if (required) problems.push(`${shown} is missing.`);
      continue;
    }
    const read = Array.isArray(value)
      ? parseEach(flag, value.map(String))
      : kind.parse(String(value));
    if ('problem' in read) problems.push(`${shown} ${read.problem}`);
    else values[name] = read.value;
  }
  const { needsOneOf = [] } = command;
  if (needsOneOf.length > 0 && !needsOneOf.some((name) => given.includes(name))) {
    problems.push(
      `at least one is missing of ${needsOneOf.map((name) => `--${name}`).join(', ')}.`,
    );
  }
  const [earlier, later] = command.inOrder?.map((name) => values[name] as string | undefined) ?? [];
  if (earlier !== undefined && later !== undefined && later <= earlier) {
    problems.push(`--${command.inOrder![1]} must be after --${command.inOrder![0]}.`);
  }
  if (values['csv'] === true && line.values['json'] === true) {
    problems.push('--csv and --json exclude each other.');
  }
  if (problems.length > 0) return misuse(usage, ...problems);
  return { kind: 'command', command, values, json: line.values['json'] === true };
}

const isHelpFlag = (word: string): boolean => word === '--help' || word === '-h';

/** Parses a command line. */
export function readInvocation(words: readonly string[], nouns: Nouns = allNouns): Invocation {
  if (words.length === 1 && words[0] === '--version') return { kind: 'version' };
  const asksByWord = words[0] === 'help';
  const asksForHelp = asksByWord || words.some(isHelpFlag);
  const target = targetOf(
    nouns,
    words.slice(asksByWord ? 1 : 0).filter((word) => !isHelpFlag(word)),
  );
  if ('kind' in target) return target;
  if (asksForHelp) return { kind: 'help', usage: target.usage };
  if (target.level === 'all') return misuse(target.usage, 'A noun comes first.');
  if (target.level === 'noun') return misuse(target.usage, `A verb comes after ${target.name}.`);
  return commandOf(target.command, target.rest, target.usage);
}
