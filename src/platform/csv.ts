/** Reads CSV files of spreadsheets. */

import { isUtf8 } from 'node:buffer';
import { pipeline, Readable } from 'node:stream';
import { setImmediate as nextLoopIteration } from 'node:timers/promises';

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

/** How a CSV file is imported. */
export interface CsvImportOptions {
  actor: string;
  dryRun: boolean;
  /** The largest number of lines after the head; absent: no limit. */
  mostLines?: number | undefined;
}

interface Line {
  record: string[];
  info: { lines: number };
}

// Some milliseconds of work. Other calls are served between two pieces.
const pieceBytes = 16 * 1024;
const mostBytesOfLine = 64 * 1024;

async function* piecesOf(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let from = 0; from < bytes.length; from += pieceBytes) {
    yield bytes.subarray(from, from + pieceBytes);
    await nextLoopIteration();
  }
}

// Spreadsheets of some countries separate cells by semicolons.
function delimiterOf(bytes: Buffer): string {
  const text = bytes.toString('utf8', 0, mostBytesOfLine);
  return /^[^\n,]*;/.test(text) && !/^[^\n]*,/.test(text) ? ';' : ',';
}

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

const codes: Readonly<Record<string, string>> = {
  CSV_MAX_RECORD_SIZE: `is longer than ${mostBytesOfLine / 1024} KB: check the quotation marks`,
};

async function linesOf(bytes: Buffer, mostLines: number): Promise<Line[] | CsvProblem> {
  // Few processes ever read such a file.
  const { CsvError, parse } = await import('csv-parse');
  const parser = parse({
    bom: true,
    delimiter: delimiterOf(bytes),
    info: true,
    max_record_size: mostBytesOfLine,
    relax_column_count: true,
    skip_empty_lines: true,
    trim: true,
  });
  pipeline(Readable.from(piecesOf(bytes)), parser, () => undefined);
  const lines: Line[] = [];
  try {
    for await (const line of parser as AsyncIterable<Line>) {
      if (lines.length > mostLines) {
        const message = `is one too many: import more than ${mostLines} lines with the command line`;
        return { line: line.info.lines, column: null, message };
      }
      lines.push(line);
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = typeof error['lines'] === 'number' ? error['lines'] : 1;
    const message = codes[error.code] ?? 'is not CSV: check the quotation marks';
    return { line, column: null, message };
  }
  return lines;
}

/**
 * Reads a CSV file in UTF-8, with the names of its columns in the first line. Other work runs meanwhile.
 *
 * @param mostLines the largest number of lines after the head
 */
export async function readCsv<Column extends string>(
  bytes: Buffer,
  columns: CsvColumns<Column>,
  mostLines = Infinity,
): Promise<CsvContent<Column>> {
  const failed = (problems: CsvProblem[]): CsvContent<Column> => ({ rows: [], problems });
  if (!isUtf8(bytes)) {
    return failed([
      { line: 1, column: null, message: 'the file is not UTF-8: save it as "CSV UTF-8"' },
    ]);
  }
  const nul = bytes.indexOf(0);
  if (nul !== -1) {
    const line = bytes.toString('latin1', 0, nul).split('\n').length;
    return failed([{ line, column: null, message: 'contains a NUL character' }]);
  }
  const lines = await linesOf(bytes, mostLines);
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
