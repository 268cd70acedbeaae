/** From the words of a command line to what is meant by them. */
import { closestMatch } from 'leven';
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import type { Command, Noun } from './command.ts';
import { nouns } from './commands.ts';
import { usageOfAll, usageOfCommand, usageOfNoun } from './usage.ts';

/** What a command line means. */
export type Invocation =
  | { kind: 'help'; usage: string }
  | { kind: 'version' }
  | { kind: 'command'; command: Command; values: Record<string, unknown>; json: boolean }
  | Misuse;

/** It means nothing: what is wrong with it, all at once, and how it is done. */
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

/** What a table has under a name; what every object has is not in it. */
const entryOf = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

// Beyond two letters apart, a guess would more often be wrong than right.
const lettersApart = 2;

/** What is offered in place of a word that means nothing: what was probably meant, then all there is. */
function offer(word: string, known: readonly string[]): string {
  const nearest = closestMatch(word, known, { maxDistance: lettersApart });
  const guess = nearest === undefined ? '' : `did you mean "${nearest}"? There are`;
  return `${guess || 'there are'} ${known.join(', ')}.`;
}

/** What the words after a noun name: a noun of its own, or a verb. */
function targetWithin(name: string, noun: Noun, words: readonly string[]): Target | Misuse {
  const usage = usageOfNoun(name, noun);
  const [word = '', ...rest] = words;
  if (isFlag(words[0])) return { level: 'noun', usage, name };
  const inner = entryOf(noun.nouns ?? {}, word);
  if (inner) return targetWithin(`${name} ${word}`, inner, rest);
  const command = entryOf(noun.verbs, word);
  if (!command) {
    const known = [...Object.keys(noun.nouns ?? {}), ...Object.keys(noun.verbs)];
    return misuse(usage, `There is no verb "${word}" for ${name}; ${offer(word, known)}`);
  }
  return { level: 'command', usage: usageOfCommand(`${name} ${word}`, command), command, rest };
}

/** What the first words name. */
function targetOf(words: readonly string[]): Target | Misuse {
  const [name = '', ...rest] = words;
  if (isFlag(words[0])) return { level: 'all', usage: usageOfAll() };
  const noun = entryOf(nouns, name);
  if (noun) return targetWithin(name, noun, rest);
  const known = Object.keys(nouns);
  return misuse(usageOfAll(), `There is no noun "${name}"; ${offer(name, known)}`);
}

function optionsOf({ flags }: Command): ParseArgsOptionsConfig {
  const named = Object.keys(flags).map((name) => [name, { type: 'string' as const }]);
  return { ...Object.fromEntries(named), json: { type: 'boolean' } };
}

// Node goes on to explain how a positional would be written; there are none here.
function inOurWords(message: string, flags: readonly string[]): string {
  const told = message
    .replace(/\.? To specify a positional argument.*$/s, '')
    .replace(/(?<!\.)$/, '.');
  const [, unknown] = /^Unknown option '(--[\w-]+)'/.exec(message) ?? [];
  if (unknown === undefined) return told;
  const nearest = closestMatch(unknown, flags, { maxDistance: lettersApart });
  return nearest === undefined ? told : `${told} Did you mean ${nearest}?`;
}

function parsed(command: Command, words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options: optionsOf(command), strict: true, tokens: true });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (!code?.startsWith('ERR_PARSE_ARGS')) throw error;
    const flags = Object.keys(optionsOf(command)).map((name) => `--${name}`);
    return inOurWords(message, flags);
  }
}

/** The command with its flags read; every problem with them at once. */
function commandOf(command: Command, words: readonly string[], usage: string): Invocation {
  const line = parsed(command, words);
  if (typeof line === 'string') return misuse(usage, line);
  const given = line.tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : []));
  const twice = new Set(given.filter((name, place) => given.indexOf(name) !== place));
  const problems = [...twice].map((name) => `--${name} is given more than once.`);
  const values: Record<string, unknown> = {};
  for (const [name, { kind, required }] of Object.entries(command.flags)) {
    const text = line.values[name];
    if (typeof text !== 'string') {
      if (required) problems.push(`--${name} is missing.`);
      continue;
    }
    const read = kind.parse(text);
    if ('problem' in read) problems.push(`--${name} ${read.problem}`);
    else values[name] = read.value;
  }
  if (problems.length > 0) return misuse(usage, ...problems);
  return { kind: 'command', command, values, json: line.values['json'] === true };
}

const isHelpFlag = (word: string): boolean => word === '--help' || word === '-h';

/** Reads a command line. */
export function readInvocation(words: readonly string[]): Invocation {
  if (words.length === 1 && words[0] === '--version') return { kind: 'version' };
  const asksByWord = words[0] === 'help';
  const asksForHelp = asksByWord || words.some(isHelpFlag);
  const target = targetOf(words.slice(asksByWord ? 1 : 0).filter((word) => !isHelpFlag(word)));
  if ('kind' in target) return target;
  if (asksForHelp) return { kind: 'help', usage: target.usage };
  if (target.level === 'all') return misuse(target.usage, 'A noun comes first.');
  if (target.level === 'noun') return misuse(target.usage, `A verb comes after ${target.name}.`);
  return commandOf(target.command, target.rest, target.usage);
}
