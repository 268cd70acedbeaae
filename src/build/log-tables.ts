/** The tables of the lines of the log in the guide for operators. */
import { table } from '../cli/markdown-table.ts';
import { type LogRow, logSections } from '../platform/log-messages.ts';

const code = (text: string): string => `\`${text}\``;

const membersOf = ({ members, sometimes = [] }: LogRow): string =>
  [...members.map(code), ...sometimes.map((member) => `sometimes ${code(member)}`)].join(', ');

const cellsOf = ([line, row]: [string, LogRow]): string[] => [
  code(line),
  row.levels.join(', '),
  membersOf(row),
  row.meaning,
  row.remedy ?? '',
];

const heads = ['Line', 'Level', 'Members', 'What it means', 'What to do'];

/** The first table after a heading. */
const tableOf = (heading: string): RegExp =>
  new RegExp(`(?<=^## ${heading}\\n[^#]*?)^\\| Line .*\\n(?:\\|.*\\n)+`, 'm');

/** The guide with a row for each line of the log. */
export const withLogLines = (guide: string): string =>
  Object.entries(logSections).reduce(
    (text, [heading, rows]) =>
      text.replace(tableOf(heading), () => table([heads, ...Object.entries(rows).map(cellsOf)])),
    guide,
  );
