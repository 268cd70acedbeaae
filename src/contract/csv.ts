/** Writes CSV for people who open it in a spreadsheet. The command line and the web pages use it, so that both write the same. */

/** A table for a spreadsheet. */
export interface CsvTable {
  head: readonly string[];
  rows: readonly (readonly CsvCell[])[];
}

/** A cell; null: it is empty. */
export type CsvCell = string | number | boolean | null;

// A spreadsheet would calculate such a text.
const isFormula = (text: string): boolean => /^[=+\-@]/.test(text);

const quoted = (text: string): string =>
  /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

function cellText(cell: CsvCell): string {
  if (cell === null) return '';
  // A negative number is no formula, and stays a number.
  if (typeof cell !== 'string') return String(cell);
  return quoted(isFormula(cell) ? `'${cell}` : cell);
}

const lineOf = (cells: readonly CsvCell[]): string => `${cells.map(cellText).join(',')}\r\n`;

/**
 * A table as RFC 4180: a head, lines that end in CRLF, quotes where a cell needs them. A text that a spreadsheet would
 * calculate gets an apostrophe. Spec: OPERATOR-14.
 */
export const csvText = ({ head, rows }: CsvTable): string => [head, ...rows].map(lineOf).join('');

const cellOf = (value: unknown): CsvCell => {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value;
  return JSON.stringify(value);
};

/** The items of a list as a table: a column for each of these members. */
export const itemsTable =
  (...head: readonly string[]) =>
  ({ items }: { items: readonly object[] }): CsvTable => ({
    head,
    rows: items.map((item) => {
      const values = new Map<string, unknown>(Object.entries(item));
      return head.map((member) => cellOf(values.get(member)));
    }),
  });
