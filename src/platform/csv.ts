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
  /** Two columns of which a file has at most one. */
  exclusive?: readonly [Column, Column];
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

const separators = [',', ';', '\t'] as const;
type Separator = (typeof separators)[number];

/** How a file separates cells, and in which line (from 1) it begins after saying so. */
interface Layout {
  separator: Separator;
  fromLine: number;
}

/** Programs that save CSV separate by `;` or tab in some countries; a first line `sep=;` says so. */
function layoutOf(bytes: Buffer): Layout {
  const text = bytes.toString('utf8', 0, mostBytesOfLine).replace(/^\uFEFF/, '');
  const stated = /^"?sep=([,;\t])"?[,;\t ]*(?:[\r\n]|$)/i.exec(text)?.[1];
  if (stated !== undefined) return { separator: stated as Separator, fromLine: 2 };
  const head = /[^\r\n]*[^\s,;][^\r\n]*/.exec(text)?.[0] ?? '';
  const count = (separator: Separator) => head.split(separator).length;
  const separator = separators.reduce((most, one) => (count(one) > count(most) ? one : most));
  return { separator, fromLine: 1 };
}

const withoutEmptyEnd = (cells: readonly string[]): readonly string[] =>
  cells.slice(0, cells.findLastIndex((cell) => cell !== '') + 1);

/** The names of the columns as this program writes them: a head may have them in any case. */
function headOf<Column extends string>(
  cells: readonly string[],
  { required, optional }: CsvColumns<Column>,
): string[] {
  const known = new Map([...required, ...optional].map((name) => [name.toLowerCase(), name]));
  return withoutEmptyEnd(cells).map((cell) => known.get(cell.toLowerCase()) ?? cell);
}

function headProblems<Column extends string>(
  head: readonly string[],
  line: number,
  { required, optional, exclusive }: CsvColumns<Column>,
): CsvProblem[] {
  const known: readonly string[] = [...required, ...optional];
  const wrong = head.flatMap((column, at): CsvProblem[] => {
    if (!known.includes(column)) {
      const message = `is not known here; the columns are ${known.join(', ')}`;
      return [{ line, column: column || `column ${at + 1}`, message }];
    }
    const message = 'is there more than once';
    return head.indexOf(column) < at ? [{ line, column, message }] : [];
  });
  const missing = required
    .filter((column) => !head.includes(column))
    .map((column) => ({ line, column, message: 'is missing' }));
  const [one, other] = exclusive ?? [];
  const both =
    one !== undefined && other !== undefined && head.includes(one) && head.includes(other)
      ? [{ line, column: other, message: `is there beside ${one}: a file has one of both` }]
      : [];
  return [...wrong, ...missing, ...both];
}

/** What prevents that a file is read as text. */
function encodingProblem(bytes: Buffer): CsvProblem | undefined {
  const [first, second] = bytes;
  if (first === 0xff || first === 0xfe || first === 0 || second === 0) {
    const message = 'the file is UTF-16, not UTF-8: save it as "CSV UTF-8", not as "Unicode text"';
    return { line: 1, column: null, message };
  }
  if (!isUtf8(bytes)) {
    return { line: 1, column: null, message: 'the file is not UTF-8: save it as "CSV UTF-8"' };
  }
  // What a browser or another program puts in place of bytes that it cannot read.
  if (bytes.includes('\uFFFD')) {
    const message = 'the file has characters that cannot be read: save it as "CSV UTF-8"';
    return { line: 1, column: null, message };
  }
  const nul = bytes.indexOf(0);
  if (nul === -1) return undefined;
  const line = bytes.toString('latin1', 0, nul).split('\n').length;
  return { line, column: null, message: 'contains a NUL character' };
}

const codes: Readonly<Record<string, string>> = {
  CSV_MAX_RECORD_SIZE: `is longer than ${mostBytesOfLine / 1024} KB: check the quotation marks`,
};

async function linesOf(bytes: Buffer, mostLines: number): Promise<Line[] | CsvProblem> {
  // Few processes ever read such a file.
  const { CsvError, parse } = await import('csv-parse');
  const { separator, fromLine } = layoutOf(bytes);
  const parser = parse({
    bom: true,
    delimiter: separator,
    from_line: fromLine,
    info: true,
    max_record_size: mostBytesOfLine,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
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
 * Reads a CSV file in UTF-8 as spreadsheet programs save it, with the names of its columns in the first line. Other
 * work runs meanwhile.
 *
 * Spec: FILE-7.
 *
 * @param mostLines the largest number of lines after the head
 */
export async function readCsv<Column extends string>(
  bytes: Buffer,
  columns: CsvColumns<Column>,
  mostLines = Infinity,
): Promise<CsvContent<Column>> {
  const failed = (problems: CsvProblem[]): CsvContent<Column> => ({ rows: [], problems });
  const unreadable = encodingProblem(bytes);
  if (unreadable) return failed([unreadable]);
  const lines = await linesOf(bytes, mostLines);
  if (!Array.isArray(lines)) return failed([lines]);
  const [first, ...rest] = lines;
  const head = headOf(first?.record ?? [], columns);
  const problems = headProblems(head, first?.info.lines ?? 1, columns);
  if (problems.length > 0) return failed(problems);
  const isEven = ({ record }: Line) =>
    record.length >= head.length && withoutEmptyEnd(record).length <= head.length;
  const uneven = rest
    .filter((line) => !isEven(line))
    .map(({ record, info }) => ({
      line: info.lines,
      column: null,
      message: `has ${record.length} cells; the head has ${head.length}`,
    }));
  const rows = rest.filter(isEven).map(({ record, info }) => ({
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
