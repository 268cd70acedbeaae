/** The generated parts of the guide to the command line: what follows from rows. */
import type { TSchema } from 'typebox';
import type { OperatorRow } from '../contract/operator/row.ts';
import { table } from './markdown-table.ts';
import { calledAs, type Command, type Flag, type Noun } from './command.ts';
import { writtenFlag } from './usage.ts';

const headingOf = (name: string): string => `### \`${name}\`\n`;

/** Below a heading: the whole section follows from a row. */
const mark = '<!-- generated from the operator API -->\n';

const flagRow = (command: Command, [name, flag]: [string, Flag<never>]): string[] => [
  `\`${writtenFlag(name, flag, command.argument)}\``,
  flag.required ? 'required' : 'optional',
  flag.repeats ? `${flag.description} Repeat the flag for several.` : flag.description,
];

function flagTable(command: Command): string {
  const rows = Object.entries(command.flags).map((flag) => flagRow(command, flag));
  return rows.length === 0 ? 'No flags.\n' : table([['Flag', '', 'Meaning'], ...rows]);
}

const membersOf = (schema: TSchema | null | undefined): string[] =>
  Object.keys((schema as { properties?: object } | null)?.properties ?? {});

/** What a command prints with `--json`. */
function printed({ reply, command }: OperatorRow): string {
  const [schema] = Object.values(reply);
  const isPrinted = (name: string): boolean => command?.prints?.includes(name) ?? true;
  const isList = membersOf(schema).includes('items');
  const members = membersOf(schema).filter((name) => isList || isPrinted(name));
  if (members.length === 0) return '';
  const items = (schema as unknown as { properties: { items?: { items?: TSchema } } }).properties
    .items;
  const ofItem = membersOf(items?.items)
    .filter(isPrinted)
    .map((name) => `\`${name}\``);
  const list = members.map((name) => `\`${name}\``).join(', ');
  return ofItem.length === 0
    ? `Prints ${list}.\n`
    : `Prints ${list}; each item has ${ofItem.join(', ')}.\n`;
}

type RowCommandEntry = Command & { row: OperatorRow };

const wholeSection = (name: string, command: RowCommandEntry): string =>
  [
    headingOf(name),
    mark,
    `${command.summary}${command.description ? ` ${command.description}` : ''}\n`,
    flagTable(command),
    printed(command.row),
  ]
    .filter((part) => part !== '')
    .join('\n');

const flagsInSection = /^(\| Flag .*\n(\|.*\n)+|No flags\.\n)/m;

/** A section whose sentences are written by hand, with the flags of its row. */
function withFlags(section: string, command: Command): string {
  if (flagsInSection.test(section))
    return section.replace(flagsInSection, () => flagTable(command));
  const flags = flagTable(command);
  return Object.keys(command.flags).length === 0 ? section : `${section.trimEnd()}\n\n${flags}\n`;
}

interface Section {
  start: number;
  end: number;
}

const find = (guide: string, heading: string): Section | null => {
  const start = guide.indexOf(heading);
  if (start === -1) return null;
  const rest = start + heading.length;
  const next = guide.slice(rest).search(/^##/m);
  return { start, end: next === -1 ? guide.length : rest + next };
};

const lastChapter = '## Notes\n';

/** Where the section of a new command begins: after the last one of its noun, or at the end of the commands. */
function placeFor(guide: string, noun: string): number {
  const last = Math.max(guide.lastIndexOf(`### \`${noun} `), guide.lastIndexOf(headingOf(noun)));
  const notes = guide.indexOf(lastChapter);
  if (last === -1) return notes === -1 ? guide.length : notes;
  return find(guide, guide.slice(last).split('\n')[0]!)!.end;
}

function withCommand(
  guide: string,
  noun: string,
  summary: string,
  verb: string,
  command: RowCommandEntry,
): string {
  const name = calledAs(noun, verb);
  const found = find(guide, headingOf(name));
  if (found) {
    const section = guide.slice(found.start, found.end);
    const written = section.includes(mark)
      ? `${wholeSection(name, command)}${found.end < guide.length ? '\n' : ''}`
      : withFlags(section, command);
    return guide.slice(0, found.start) + written + guide.slice(found.end);
  }
  const isNew = !guide.includes(`### \`${noun} `) && !guide.includes(headingOf(noun));
  const place = placeFor(guide, noun);
  const chapter = isNew ? `## ${summary.replace(/\.$/, '')}\n\n` : '';
  const before = guide.slice(0, place).trimEnd();
  const after = guide.slice(place);
  return `${before}\n\n${chapter}${wholeSection(name, command)}${after === '' ? '' : `\n${after}`}`;
}

const withNoun = (guide: string, name: string, { summary, verbs, nouns = {} }: Noun): string => {
  const own = Object.entries(verbs).reduce(
    (text, [verb, command]) =>
      command.row ? withCommand(text, name, summary, verb, command as RowCommandEntry) : text,
    guide,
  );
  return Object.entries(nouns).reduce(
    (text, [inner, noun]) => withNoun(text, `${name} ${inner}`, noun),
    own,
  );
};

/** The guide with the flags of every command that follows from a row, and a section for each that has none. */
export const withReference = (guide: string, nouns: Readonly<Record<string, Noun>>): string =>
  Object.entries(nouns).reduce((text, [name, noun]) => withNoun(text, name, noun), guide);
