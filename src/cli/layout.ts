/** How a document is laid out for people; with `--json` it is printed as it is. */
import type { Outcome } from './command.ts';

const gap = '  ';

/** Lines of cells, each column as wide as its widest cell. */
export function aligned(rows: readonly (readonly string[])[]): string {
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

/** `applicationId` as a person writes it. */
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
  if (!first) return 'There are none.\n';
  const members = columns ?? Object.keys(first);
  const head = members.map((member) => words(member).toUpperCase());
  const rows = items.map((item) => {
    const values = new Map<string, unknown>(Object.entries(item));
    return members.map((member) => cellOf(values.get(member)));
  });
  return aligned([head, ...rows]);
}

const sheet = (document: object): string =>
  aligned(Object.entries(document).map(([member, value]) => [words(member), cellOf(value)]));

/** What a person is shown of an outcome. */
export function laidOut({ document, columns, note }: Outcome): string {
  const body =
    'items' in document && Array.isArray(document.items)
      ? table(document.items, columns)
      : sheet(document);
  return note === undefined ? body : `${body}\n${note}\n`;
}
