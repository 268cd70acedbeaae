/** Reads CSV files of spreadsheets. */

import { isUtf8 } from 'node:buffer';
import { CsvError, parse } from 'csv-parse/sync';

/** Something wrong in a CSV file. */
export interface CsvProblem {
  /** From 1. */
  line: number;
  /** Null: the whole line. */
  column: string | null;
  message: string;
}

/** A line of a CSV file after the first; cells without the blanks around them. */
export interface CsvRow<Column extends string> {
  line: number;
  /** Only the columns that the file has. */
  cells: { [Name in Column]?: string };
}

/** The columns that a file must have, and those that it may have. */
export interface CsvColumns<Column extends string> {
  required: readonly Column[];
  optional: readonly Column[];
}

/** The rows of a file, or its problems; then there are no rows. */
export interface CsvContent<Column extends string> {
  rows: CsvRow<Column>[];
  problems: CsvProblem[];
}

interface Line {
  record: string[];
  info: { lines: number };
}

// Spreadsheets of some countries separate cells by semicolons.
const delimiterOf = (text: string): string =>
  /^[^\n,]*;/.test(text) && !/^[^\n]*,/.test(text) ? ';' : ',';

function headProblems<Column extends string>(
  head: readonly string[],
  { required, optional }: CsvColumns<Column>,
): CsvProblem[] {
  const known: readonly string[] = [...required, ...optional];
  const wrong = head.flatMap((column, at): CsvProblem[] => {
    if (!known.includes(column)) {
      const message = `is not known here; the columns are ${known.join(', ')}`;
      return [{ line: 1, column, message }];
    }
    const message = 'is there more than once';
    return head.indexOf(column) < at ? [{ line: 1, column, message }] : [];
  });
  const missing = required
    .filter((column) => !head.includes(column))
    .map((column) => ({ line: 1, column, message: 'is missing' }));
  return [...wrong, ...missing];
}

function linesOf(text: string): Line[] | CsvProblem {
  try {
    return parse(text, {
      bom: true,
      delimiter: delimiterOf(text),
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
    }) as unknown as Line[];
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = typeof error['lines'] === 'number' ? error['lines'] : 1;
    return { line, column: null, message: 'is not CSV: check the quotation marks' };
  }
}

/** Reads a CSV file in UTF-8, with the names of its columns in the first line. */
export function readCsv<Column extends string>(
  bytes: Buffer,
  columns: CsvColumns<Column>,
): CsvContent<Column> {
  const failed = (problems: CsvProblem[]): CsvContent<Column> => ({ rows: [], problems });
  if (!isUtf8(bytes)) {
    return failed([
      { line: 1, column: null, message: 'the file is not UTF-8: save it as "CSV UTF-8"' },
    ]);
  }
  const text = bytes.toString();
  const [before = ''] = text.split('\0', 1);
  if (before.length < text.length) {
    const line = before.split('\n').length;
    return failed([{ line, column: null, message: 'contains a NUL character' }]);
  }
  const lines = linesOf(text);
  if (!Array.isArray(lines)) return failed([lines]);
  const [first, ...rest] = lines;
  const head = first?.record ?? [];
  const problems = headProblems(head, columns);
  if (problems.length > 0) return failed(problems);
  const uneven = rest
    .filter(({ record }) => record.length !== head.length)
    .map(({ record, info }) => ({
      line: info.lines,
      column: null,
      message: `has ${record.length} cells; the first line has ${head.length}`,
    }));
  const rows = rest
    .filter(({ record }) => record.length === head.length)
    .map(({ record, info }) => ({
      line: info.lines,
      cells: Object.fromEntries(
        head.map((name, at) => [name, record[at]]),
      ) as CsvRow<Column>['cells'],
    }));
  return { rows, problems: uneven };
}

/** The lines without a problem, so that the checks that follow find what is wrong with them. */
export function soundLines<Row extends { line: number }>(
  lines: readonly Row[],
  problems: readonly CsvProblem[],
): Row[] {
  const wrong = new Set(problems.map(({ line }) => line));
  return lines.filter(({ line }) => !wrong.has(line));
}
