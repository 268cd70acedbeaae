/** Formats a document as text, for output without `--json`. */
import type { Outcome } from './command.ts';

const gap = '  ';

/** Formats rows of cells as alignColumns columns. */
export function alignColumns(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [place, cell] of row.entries()) {
      widths[place] = Math.max(widths[place] ?? 0, cell.length);
    }
  }
  const lineOf = (row: readonly string[]) =>
    row.map((cell, place) => cell.padEnd(widths[place] ?? 0)).join(gap);
  return rows.map((row) => `${lineOf(row).trimEnd()}\n`).join('');
}

/** Converts `applicationId` to `application id`. */
const words = (member: string): string =>
  member.replaceAll(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`);

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (Array.isArray(value)) return value.join(',');
  if (typeof value !== 'object') return String(value);
  return Object.entries(value)
    .map(([name, one]) => `${name}=${String(one)}`)
    .join(',');
}

function table(items: readonly object[], columns: readonly string[] | undefined): string {
  const [first] = items;
  if (!first) return 'None.\n';
  const members = columns ?? Object.keys(first);
  const head = members.map((member) => words(member).toUpperCase());
  const rows = items.map((item) => {
    const values = new Map<string, unknown>(Object.entries(item));
    return members.map((member) => cellOf(values.get(member)));
  });
  return alignColumns([head, ...rows]);
}

const sheet = (document: object): string =>
  alignColumns(Object.entries(document).map(([member, value]) => [words(member), cellOf(value)]));

/** Formats the result of a command as text. */
export function formatOutcome({ document, columns, note }: Outcome): string {
  const body =
    'items' in document && Array.isArray(document.items)
      ? table(document.items, columns)
      : sheet(document);
  return note === undefined ? body : `${body}\n${note}\n`;
}
