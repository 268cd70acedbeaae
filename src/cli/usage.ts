/** Generates the usage texts from the table of commands. */
import { calledAs, type Command, type Flag, type Noun } from './command.ts';
import { alignColumns } from './layout.ts';

const indented = (text: string): string => text.replaceAll(/^(?=.)/gm, '  ');

const everywhere: readonly [string, string][] = [
  ['--json', 'Print one JSON document, and nothing else, on stdout.'],
  ['--help', 'Show this help.'],
];

const verbLines = (nounName: string, { verbs, nouns: inner = {} }: Noun): [string, string][] => [
  ...Object.entries(inner).flatMap(([name, noun]) => verbLines(`${nounName} ${name}`, noun)),
  ...Object.entries(verbs).map(([verb, { summary }]): [string, string] => [
    calledAs(nounName, verb),
    summary,
  ]),
];

/** The usage of all commands. */
export function usageOfAll(nouns: Readonly<Record<string, Noun>>): string {
  const commands = Object.entries(nouns).flatMap(([name, noun]) => verbLines(name, noun));
  return [
    'Usage: latchkey <noun> <verb> [flags] [--json]\n\n',
    indented(alignColumns(commands)),
    '\n',
    indented(
      alignColumns([
        ['help [<noun> [<verb>]]', 'Show the usage of a noun or command, like --help.'],
        ['--version', 'Show the version.'],
      ]),
    ),
  ].join('');
}

/** The usage of a noun. */
export const usageOfNoun = (name: string, noun: Noun): string =>
  `Usage: latchkey ${name} <verb> [flags] [--json]\n\n${noun.summary}\n\n${indented(alignColumns(verbLines(name, noun)))}`;

/** How a flag is written in a call. */
export const writtenFlag = (name: string, { kind }: Flag<never>, argument?: string): string =>
  name === argument ? kind.placeholder : `--${name} ${kind.placeholder}`.trimEnd();

/** The usage of a command. */
export function usageOfCommand(name: string, command: Command): string {
  const { summary, description, flags, argument } = command;
  const entries = Object.entries(flags);
  const inLine = entries.map(([flag, one]) =>
    one.required
      ? writtenFlag(flag, one, argument)
      : `[${writtenFlag(flag, one)}]${one.repeats ? '…' : ''}`,
  );
  const rows = entries.map(([flag, one]) => [writtenFlag(flag, one, argument), one.description]);
  const call = ['latchkey', name, ...inLine, '[--json]'].join(' ');
  const text = description === undefined ? summary : `${summary}\n\n${description}`;
  return `Usage: ${call}\n\n${text}\n\n${indented(alignColumns([...rows, ...everywhere]))}`;
}
