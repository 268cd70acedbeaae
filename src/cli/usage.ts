/** Generates the usage texts from the table of commands. */
import type { Command, Flag, Noun } from './command.ts';
import { nouns } from './commands.ts';
import { alignColumns } from './layout.ts';

const indented = (text: string): string => text.replaceAll(/^(?=.)/gm, '  ');

const everywhere: readonly [string, string][] = [
  ['--json', 'Print one JSON document, and nothing else, on stdout.'],
  ['--help', 'Show this help.'],
];

const verbLines = (nounName: string, { verbs, nouns: inner = {} }: Noun): [string, string][] => [
  ...Object.entries(inner).flatMap(([name, noun]) => verbLines(`${nounName} ${name}`, noun)),
  ...Object.entries(verbs).map(([verb, { summary }]): [string, string] => [
    `${nounName} ${verb}`,
    summary,
  ]),
];

/** The usage of all commands. */
export function usageOfAll(): string {
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

const written = (name: string, { kind }: Flag<never>, argument?: string): string =>
  name === argument ? kind.placeholder : `--${name} ${kind.placeholder}`.trimEnd();

/** The usage of a command. */
export function usageOfCommand(name: string, { summary, flags, argument }: Command): string {
  const entries = Object.entries(flags);
  const inLine = entries.map(([flag, one]) =>
    one.required ? written(flag, one, argument) : `[${written(flag, one)}]`,
  );
  const rows = entries.map(([flag, one]) => [written(flag, one, argument), one.description]);
  const call = ['latchkey', name, ...inLine, '[--json]'].join(' ');
  return `Usage: ${call}\n\n${summary}\n\n${indented(alignColumns([...rows, ...everywhere]))}`;
}
