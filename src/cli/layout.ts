/** Formats a document as text, for output without `--json`. */
import type { Outcome } from './command.ts';

const gap = '  ';

const codeOf = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * Escapes what changes how a terminal shows other text: control characters, and those that reverse the
 * direction. Names of guests and members of files come from outside. Line breaks stay.
 */
export const printable = (text: string): string =>
  text.replaceAll(/[^\P{Cc}\n]|\p{Bidi_Control}/gu, codeOf);

/** One cell: a line break in it does not begin a row. */
const inOneLine = (text: string): string => text.replaceAll('\n', codeOf);

/** Formats rows of cells as alignColumns columns. */
export function alignColumns(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, cell] of row.entries()) {
      widths[index] = Math.max(widths[index] ?? 0, cell.length);
    }
  }
  const lineOf = (row: readonly string[]) =>
    row.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join(gap);
  return rows.map((row) => `${lineOf(row).trimEnd()}\n`).join('');
}

/** Converts `applicationId` to `application id`. */
const words = (member: string): string =>
  member.replaceAll(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`);

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (Array.isArray(value)) return inOneLine(value.join(','));
  if (typeof value !== 'object') return inOneLine(String(value));
  return Object.entries(value)
    .map(([name, one]) => `${name}=${isScalar(one) ? inOneLine(String(one)) : JSON.stringify(one)}`)
    .join(',');
}

const isScalar = (value: unknown): boolean => typeof value !== 'object' || value === null;

/** Whether a value fits into one cell: a scalar, or a list or an object of scalars. */
const fitsCell = (value: unknown): boolean =>
  isScalar(value) || Object.values(value as object).every(isScalar);

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

/** Items with different members: the first two members, then the others as JSON. */
const log = (items: readonly object[]): string =>
  alignColumns(
    items.map((item) => {
      const [first, second, ...rest] = Object.entries(item);
      const others = rest.length > 0 ? JSON.stringify(Object.fromEntries(rest)) : '';
      return [cellOf(first?.[1]), cellOf(second?.[1]), others];
    }),
  );

const isListOfObjects = (value: unknown): boolean =>
  Array.isArray(value) && value.some((one) => !isScalar(one));

function list(items: readonly unknown[]): string {
  const objects = items.filter((item): item is object => !isScalar(item));
  // An item with a list of its own has no place in a cell.
  if (objects.some((item) => Object.values(item).some(isListOfObjects))) {
    return objects.map(sheet).join('\n');
  }
  const shapes = new Set(objects.map((item) => Object.keys(item).join()));
  return shapes.size > 1 ? log(objects) : table(objects, undefined);
}

const indented = (text: string): string => text.replaceAll(/^(?=.)/gm, '  ');

/** Simple members line by line; each of the others below its name. */
function sheet(document: object): string {
  const entries = Object.entries(document);
  const simple = entries.filter(([, value]) => fitsCell(value));
  const parts = entries.filter(([, value]) => !fitsCell(value));
  const lines = alignColumns(simple.map(([member, value]) => [words(member), cellOf(value)]));
  const blocks = parts.map(([member, value]) => {
    const text = Array.isArray(value) ? list(value) : sheet(value as object);
    return `\n${words(member)}:\n${indented(text)}`;
  });
  return [lines, ...blocks].join('');
}

/** Formats the result of a command as text. */
export function formatOutcome({ document, columns, text, note }: Outcome): string {
  const body =
    text !== undefined
      ? `${text}\n`
      : 'items' in document && Array.isArray(document.items)
        ? table(document.items, columns)
        : sheet(document);
  return printable(note === undefined ? body : `${body}\n${note}\n`);
}
