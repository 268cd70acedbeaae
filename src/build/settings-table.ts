/** The table of the settings in the guide for operators. */
import { table } from '../cli/markdown-table.ts';
import { type SettingRow, settings } from '../config/settings.ts';

const code = (text: string | number): string => `\`${text}\``;

const applies = ({ standard, otherwise }: SettingRow): string =>
  otherwise ?? (standard === undefined ? 'none' : code(standard));

function list(values: readonly string[]): string {
  const words = values.map(code);
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1)!}`;
}

function meaning(row: SettingRow): string {
  if ('min' in row) return row.meaning.replace('{range}', `${row.min} to ${row.max}`);
  return 'values' in row ? row.meaning.replace('{values}', list(row.values)) : row.meaning;
}

const rowOf = ([name, row]: [string, SettingRow]): string[] => [
  code(name),
  applies(row),
  meaning(row),
];

const written = /^\| Variable .*\n(?:\|.*\n)+/m;

/** The guide with a row for each setting. */
export const withSettings = (guide: string): string =>
  guide.replace(written, () =>
    table([['Variable', 'Default', 'Meaning'], ...Object.entries(settings).map(rowOf)]),
  );
